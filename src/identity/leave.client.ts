import { forceLeave } from '../kit/forcedLeave.client.ts'
import { toast } from '../ui/toasts/toast.client.ts'

const LEAVE_AFTER_MS = 500

export function signInPath(): string {
  const here = location.pathname + location.search
  return here === '/' ? '/api/login' : `/api/login?returnTo=${encodeURIComponent(here)}`
}

let isLeaving = false

export function leaveForSignIn() {
  if (isLeaving) return
  isLeaving = true
  toast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', tone: 'bad' })
  setTimeout(() => forceLeave(() => location.assign(signInPath())), LEAVE_AFTER_MS)
}
