import type { ReactNode } from 'react'

/** How many notifications stand on the screen at once. */
export const TOAST_LIMIT = 1
/** How long a dismissed one is kept, in milliseconds. */
export const TOAST_REMOVE_DELAY = 1_000_000
/** How long one stands by default, in milliseconds. */
export const TOAST_DURATION = 5000
/** How far it must be swiped to the right to go, in pixels. */
export const TOAST_SWIPE = 50
/** The key that moves the focus to the notifications. */
export const TOAST_HOTKEY = ['F8']

export type Toast = {
  title: string
  description?: ReactNode
  tone?: 'good' | 'bad' | 'plain'
  /** A way back or on; `label` is the button's word, `hint` says to a screen reader how else to do it. */
  action?: { label: string; hint: string; run: () => void }
}
export type ShownToast = Toast & { id: number; isOpen: boolean }

/** The newest stand first; those over the limit go. */
export const addToast = (toasts: ShownToast[], toast: ShownToast): ShownToast[] =>
  [toast, ...toasts].slice(0, TOAST_LIMIT)

export const closeToast = (toasts: ShownToast[], id: number): ShownToast[] =>
  toasts.map((toast) => (toast.id === id ? { ...toast, isOpen: false } : toast))

export const removeToast = (toasts: ShownToast[], id: number): ShownToast[] => toasts.filter((toast) => toast.id !== id)
