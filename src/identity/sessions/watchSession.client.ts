import { getCurrentUser } from '../identity.contract.ts'

// Tabs share their cookies but not their memory: a tab that shows one person must not go on when another has signed in,
// or nobody is.

/** Loads the page anew when the session is no longer this user's. Answers how to stop. */
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
