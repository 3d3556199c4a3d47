import type { ReactNode } from 'react'

export const TOAST_LIMIT = 1
/** Milliseconds until a dismissed notification is removed from the list. */
export const TOAST_REMOVE_DELAY = 1_000_000
export const TOAST_DURATION = 5000
/** Pixels of the swipe to the right that dismisses a notification. */
export const TOAST_SWIPE = 50
export const TOAST_HOTKEY = ['F8']

export type Toast = {
  title: string
  description?: ReactNode
  tone?: 'good' | 'bad' | 'plain'
  /** `label` is the text of the button. `hint` describes an alternative to the button for screen readers. */
  action?: { label: string; hint: string; run: () => void }
}
export type ShownToast = Toast & { id: number; isOpen: boolean }

export const addToast = (toasts: ShownToast[], toast: ShownToast): ShownToast[] =>
  [toast, ...toasts].slice(0, TOAST_LIMIT)

export const closeToast = (toasts: ShownToast[], id: number): ShownToast[] =>
  toasts.map((toast) => (toast.id === id ? { ...toast, isOpen: false } : toast))

export const removeToast = (toasts: ShownToast[], id: number): ShownToast[] => toasts.filter((toast) => toast.id !== id)
