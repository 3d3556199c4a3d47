import { watchSession } from '../identity/watchSession.client.ts'
import { followCurrency } from '../localisation/followCurrency.client.ts'
import { recordEvent } from '../risk/paymentCheck.client.ts'
import { followProducts } from './liveProducts.client.ts'
import { meetAccount } from './preferencesKeeper.client.ts'

const MOVED = { type: 'unusual_location', severity: 'medium', description: 'Another country than last time' } as const

/** What an open shop keeps up with once it stands; loaded after the first paint. Answers how to stop. */
export function follow(userId: string): () => void {
  // what this device keeps is drawn already; without the account's it stays
  void meetAccount(userId).catch(() => undefined)
  void followCurrency({ whenMoved: () => recordEvent(MOVED) })
  const ends = [watchSession(userId), followProducts()]
  return () => ends.forEach((end) => end())
}
