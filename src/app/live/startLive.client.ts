import { watchSession } from '../../identity/sessions/watchSession.client.ts'
import { followCurrency } from '../../localisation/followCurrency.client.ts'
import { startMonitor } from '../../monitoring/errors/monitor.client.ts'
import { isWatchOn, whileOn } from '../../monitoring/errors/switches.client.ts'
import { measureVitals } from '../../monitoring/metrics/vitals.client.ts'
import { watchActivity } from '../../risk/activity.client.ts'
import { recordEvent } from '../../risk/paymentCheck.client.ts'
import { followProducts } from '../../catalogue/realtime/liveProducts.client.ts'
import { placeAt } from '../shell/pages.tsx'
import { followNews } from './changeFeed.client.ts'
import { meetAccount } from '../../account/preferences/preferences.client.ts'

const MOVED = { type: 'unusual_location', severity: 'medium', description: 'Another country than last time' } as const

/** What an open shop keeps up with once it stands; loaded after the first paint. Answers how to stop. */
export function follow(userId: string): () => void {
  // what this device keeps is drawn already; without the account's it stays
  void meetAccount(userId).catch(() => undefined)
  startMonitor()
  void followCurrency({ whenMoved: () => isWatchOn('security') && recordEvent(MOVED) })
  // a browser that is told is told in the session it has now: an earlier one took its subscription along
  if ('Notification' in window && Notification.permission === 'granted')
    void import('../../notifications/push/push.client.ts').then(({ readPush }) => readPush()).catch(() => undefined)
  measureVitals(() => placeAt(location.pathname)?.place.path)
  const ends = [watchSession(userId), followProducts(), followNews(), whileOn('security', watchActivity)]
  return () => ends.forEach((end) => end())
}
