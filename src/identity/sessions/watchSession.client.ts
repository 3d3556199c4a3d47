import { forceLeave } from '../../kit/forcedLeave.client.ts'
import { getCurrentUser } from '../identity.contract.ts'

// Tabs share cookies, so a tab reloads after another tab signs out or signs in to another account.

export function watchSession(userId: string): () => void {
  const channel = new BroadcastChannel('session')
  channel.postMessage(userId)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => data !== userId && reload()

  async function look() {
    if (document.hidden) return
    const response = await fetch(getCurrentUser.line.slice('GET '.length), { cache: 'no-store' }).catch(() => null)
    const isTold = response?.ok || response?.status === 401
    if (!isTold) return
    const user = response.ok ? ((await response.json()) as { id: string }) : null
    if (user?.id !== userId) reload()
  }
  document.addEventListener('visibilitychange', look)
  return () => {
    channel.close()
    document.removeEventListener('visibilitychange', look)
  }
}

const reload = () => forceLeave(() => location.reload())
