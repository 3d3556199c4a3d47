import { getChatStatus } from '../../assistant/chat/chat.contract.ts'
import { followReplies } from '../../assistant/chatState.client.ts'
import { watchSession } from '../../identity/sessions/watchSession.client.ts'
import { followCurrency } from '../../localisation/followCurrency.client.ts'
import { startMonitor } from '../../monitoring/errors/monitor.client.ts'
import { isWatchOn, whileOn } from '../../monitoring/errors/switches.client.ts'
import { measureVitals } from '../../monitoring/metrics/vitals.client.ts'
import { watchActivity } from '../../risk/activity.client.ts'
import { recordEvent } from '../../risk/paymentCheck.client.ts'
import { followProducts } from '../../catalogue/realtime/liveProducts.client.ts'
import { placeAt } from '../shell/pages.tsx'
import { followChangeFeed } from './changeFeed.client.ts'
import { keepFocus } from '../../ui/state/keepFocus.client.ts'
import { meetAccount } from '../../account/preferences/preferences.client.ts'

const MOVED = { type: 'unusual_location', severity: 'medium', description: 'Another country than last time' } as const

/** Starts everything that keeps an open store current. Loaded after the first paint. Returns how to stop it. */
export function follow(userId: string): () => void {
  // on failure the device keeps its own look
  void meetAccount(userId).catch(() => undefined)
  startMonitor()
  void followCurrency({ whenMoved: () => isWatchOn('security') && recordEvent(MOVED) })
  // renews the subscription for the current session; an earlier session took its own along
  if ('Notification' in window && Notification.permission === 'granted')
    void import('../../notifications/push/push.client.ts').then(({ readPush }) => readPush()).catch(() => undefined)
  measureVitals(() => placeAt(location.pathname)?.path)
  const ends = [watchSession(userId), followProducts(), followChangeFeed(), whileOn('security', watchActivity)]
  ends.push(followReplies(getChatStatus), keepFocus())
  return () => ends.forEach((end) => end())
}
