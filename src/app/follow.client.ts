import { watchSession } from '../identity/watchSession.client.ts'
import { followCurrency } from '../localisation/followCurrency.client.ts'
import { followProducts } from './liveProducts.client.ts'
import { meetAccount } from './preferencesKeeper.client.ts'

/** What an open shop keeps up with once it stands; loaded after the first paint. Answers how to stop. */
export function follow(userId: string): () => void {
  // what this device keeps is drawn already; without the account's it stays
  void meetAccount(userId).catch(() => undefined)
  void followCurrency()
  const ends = [watchSession(userId), followProducts()]
  return () => ends.forEach((end) => end())
}
