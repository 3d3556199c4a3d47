import { getCurrentUser } from '../identity.contract.ts'

// Tabs share cookies: a tab must not keep showing an account after another tab signed out or in to another one.

export function watchSession(userId: string): () => void {
  const channel = new BroadcastChannel('session')
  channel.postMessage(userId)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => data !== userId && location.reload()

  async function look() {
    if (document.hidden) return
    const response = await fetch(getCurrentUser.line.slice('GET '.length), { cache: 'no-store' }).catch(() => null)
    const isTold = response?.ok || response?.status === 401
    if (!isTold) return
    const user = response.ok ? ((await response.json()) as { id: string }) : null
    if (user?.id !== userId) location.reload()
  }
  document.addEventListener('visibilitychange', look)
  return () => {
    channel.close()
    document.removeEventListener('visibilitychange', look)
  }
}
