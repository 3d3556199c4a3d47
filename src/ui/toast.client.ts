import { isProofMissing, isUnauthorized, proveIdentity } from '../kit/call.client.ts'
import { addToast, closeToast, removeToast, type ShownToast, type Toast, TOAST_REMOVE_DELAY } from './toasts.rules.ts'

let toasts: ShownToast[] = []
let lastId = 0
const watchers = new Set<() => void>()

const change = (next: ShownToast[]) => {
  toasts = next
  for (const tell of watchers) tell()
}

/** Shows a notification; it takes the place of the one that stands. Answers how to dismiss it. */
export function toast(given: Toast): { dismiss: () => void } {
  const id = ++lastId
  change(addToast(toasts, { ...given, id, isOpen: true }))
  return { dismiss: () => dismissToast(id) }
}

/** Says that a proof of identity is missing, and leads there; `whenProven` follows it. */
export const toastProof = (whenProven?: () => void) =>
  toast({
    title: 'Security Check',
    description: 'Please verify your identity to continue',
    tone: 'bad',
    action: {
      label: 'Verify',
      hint: 'Verify with a passkey, a code, or your password',
      run: () => void proveIdentity().then((isProven) => isProven && whenProven?.()),
    },
  })

/** Shows 'Error' and what failed. Says nothing about a refusal for want of a session: that has its own notification. */
export function toastFailure(error: unknown, description: string, action?: Toast['action']) {
  if (isProofMissing(error)) toastProof()
  else if (!isUnauthorized(error)) toast({ title: 'Error', description, tone: 'bad', ...(action && { action }) })
}

export function dismissToast(id: number) {
  if (!toasts.some((shown) => shown.id === id && shown.isOpen)) return
  change(closeToast(toasts, id))
  setTimeout(() => change(removeToast(toasts, id)), TOAST_REMOVE_DELAY)
}

export const readToasts = (): ShownToast[] => toasts

export function watchToasts(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}
