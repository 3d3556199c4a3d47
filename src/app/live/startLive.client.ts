import { followOutbox } from '../../support/chat/followOutbox.client.ts'
import { followReplies } from '../../support/chat/followReplies.client.ts'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import { query, queryClient } from '../../kit/query/query.client.ts'
import { reloadPage, watchSession } from '../../identity/sessions/watchSession.client.ts'
import { BANNER_ID } from '../../identity/viewing/staffView.ts'
import { followCurrency } from '../../localisation/followCurrency.client.ts'
import { startMonitor } from '../../monitoring/errors/monitor.client.ts'
import { isWatchOn, whileOn } from '../../kit/watch/switches.client.ts'
import { measureVitals } from '../../monitoring/metrics/vitals.client.ts'
import { watchActivity } from '../../risk/activity.client.ts'
import { recordEvent } from '../../risk/paymentCheck.client.ts'
import { watchSuspicion } from '../../risk/suspicion.client.ts'
import { followProducts } from '../../catalogue/realtime/liveProducts.client.ts'
import { placeAt } from '../shell/pages.tsx'
import { followChangeFeed } from './changeFeed.client.ts'
import { keepFocus } from '../../ui/state/keepFocus.client.ts'
import { shutStorage } from '../../kit/storage.client.ts'
import { meetAccount } from '../../account/preferences/preferences.client.ts'

const MOVED = { type: 'unusual_location', severity: 'medium', description: 'Another place than last time' } as const

type Part = () => (() => void) | void

/**
 * Starts everything that keeps an open store current. Each part starts in its own task, so that a slow phone answers presses
 * between them. Loaded after the first paint. Returns a function that stops all parts.
 */
export function follow(userId: string): () => void {
  const viewEndsAt = queryClient.getQueryData<CurrentUser>(query(getCurrentUser, {}).queryKey)?.view?.endsAt
  // the banner does not match the session: for example, an offline copy of the page has no banner
  if (Boolean(viewEndsAt) !== Boolean(document.getElementById(BANNER_ID))) {
    reloadPage()
    return () => {}
  }
  const all: Part[] = [
    () => watchSession(userId, viewEndsAt),
    () => void meetAccount(userId).catch(() => undefined),
    keepFocus,
    startMonitor,
    followProducts,
    followChangeFeed,
    followReplies,
    () => followOutbox(userId),
    () => void followCurrency({ whenMoved: () => isWatchOn('security') && recordEvent(MOVED) }),
    () => whileOn('security', watchActivity),
    () => whileOn('security', watchSuspicion),
    () => measureVitals(() => placeAt(location.pathname)?.path),
    renewPush,
  ]
  // for staff who see the shop as a member, the page sends nothing by itself and leaves the storage of staff alone
  if (viewEndsAt) shutStorage()
  const parts = viewEndsAt ? all.slice(0, 1) : all
  const ends: (() => void)[] = []
  let next = setTimeout(startNext)
  function startNext() {
    const start = parts.shift()
    // Schedules the next part first, because a part may throw.
    if (parts.length > 0) next = setTimeout(startNext)
    const end = start?.()
    if (end) ends.push(end)
  }
  return () => {
    clearTimeout(next)
    ends.forEach((end) => end())
  }
}

/** Renews the push subscription for this session, because a subscription ends with its session. */
function renewPush() {
  if ('Notification' in window && Notification.permission === 'granted')
    void import('../../notifications/push/push.client.ts').then(({ readPush }) => readPush()).catch(() => undefined)
}
