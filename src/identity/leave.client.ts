import { toast } from '../ui/toasts/toast.client.ts'

/** How long the notification stands before the browser leaves for sign-in, in milliseconds. */
const LEAVE_AFTER = 500

/** Where to sign in, with the way back to this page. */
export function signInPath(): string {
  const here = location.pathname + location.search
  return here === '/' ? '/api/login' : `/api/login?returnTo=${encodeURIComponent(here)}`
}

let isLeaving = false

/** The session has ended: says so and goes to sign in. */
export function leaveForSignIn() {
  if (isLeaving) return
  isLeaving = true
  toast({ title: 'Unauthorized', description: 'You are logged out. Logging in again...', tone: 'bad' })
  setTimeout(() => location.assign(signInPath()), LEAVE_AFTER)
}
