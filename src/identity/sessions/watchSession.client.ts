import { ACCOUNT_HEADER, OTHER_ACCOUNT, whenRefused } from '../../kit/call.ts'
import { pageHeaders } from '../../kit/call.client.ts'
import { serverNow } from '../../kit/clock/clock.client.ts'
import { forceLeave } from '../../kit/forcedLeave.client.ts'
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

export const reloadPage = () => forceLeave(() => location.reload())
