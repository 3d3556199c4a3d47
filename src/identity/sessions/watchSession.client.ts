import { ACCOUNT_HEADER, OTHER_ACCOUNT, whenRefused } from '../../kit/call.ts'
import { pageHeaders } from '../../kit/call.client.ts'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { forceLeave, isLeaveForced } from '../../kit/forcedLeave.client.ts'
import { tabStorage } from '../../kit/storage.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { type CurrentUser, getCurrentUser } from '../identity.contract.ts'

// Tabs share cookies, so a tab reloads after another tab signs out or signs in to another account. Each call sends the
// account that the page shows, so that the server refuses it for another one.

/** The server ends a view by its own clock. */
const LATE_MS = 500

/** `viewEndsAt` is the time until which staff see the shop as this member. Then the page leaves, also with changes. */
export function watchSession(userId: string, viewEndsAt?: string): () => void {
  pageHeaders[ACCOUNT_HEADER] = userId
  whenRefused((code) => code === OTHER_ACCOUNT && reloadPage())
  const channel = new BroadcastChannel('session')
  channel.postMessage(userId)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => data !== userId && reloadPage()

  async function look() {
    if (document.hidden) return
    const response = await fetch(getCurrentUser.line.slice('GET '.length), { cache: 'no-store' }).catch(() => null)
    const isTold = response?.ok || response?.status === 401
    if (!isTold) return
    const user = response.ok ? ((await response.json()) as CurrentUser) : null
    if (user?.id !== userId || user.view?.endsAt !== viewEndsAt) reloadPage()
  }
  document.addEventListener('visibilitychange', look)
  const leave = () => forceLeave(() => location.assign(`/admin/members/${userId}`))
  const end = viewEndsAt && setTimeout(leave, Date.parse(viewEndsAt) - serverNow() + LATE_MS)
  return () => {
    channel.close()
    document.removeEventListener('visibilitychange', look)
    if (end) clearTimeout(end)
  }
}

const RELOADED_AT = 'reloaded-at'
const MIN_BETWEEN_RELOADS_MS = 60_000

let isStuck = false

/** Reloads the page for the present session. Soon after such a reload it asks the user instead, so that no page reloads in a loop. */
export function reloadPage() {
  if (isLeaveForced()) return
  isStuck ||= !noteReload()
  if (!isStuck) return forceLeave(() => location.reload())
  const run = () => location.reload()
  toast({
    title: 'This page is out of date',
    description: 'Your sign-in has changed. Reload the page to go on.',
    tone: 'bad',
    action: { label: 'Reload', hint: 'Reload the page in your browser', run },
  })
}

/** Returns true if the page may reload. */
function noteReload(): boolean {
  const last = Number(tabStorage.read(RELOADED_AT))
  const isNoted = tabStorage.write(RELOADED_AT, String(Date.now()))
  return isNoted ? Date.now() - last >= MIN_BETWEEN_RELOADS_MS : !isJustReloaded()
}

/** For a page that stores nothing: the browser refuses it, or staff see the shop as a member. */
function isJustReloaded(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return opening?.type === 'reload' && performance.now() < MIN_BETWEEN_RELOADS_MS
}
