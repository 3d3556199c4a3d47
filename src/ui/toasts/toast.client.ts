import { createStore } from '../../kit/store.client.ts'
import { addToast, closeToast, removeToast, type ShownToast, type Toast, TOAST_REMOVE_DELAY } from './toasts.rules.ts'

export const toasts = createStore<ShownToast[]>([])
let lastId = 0

export const toast = (given: Toast) => toasts.set(addToast(toasts.read(), { ...given, id: ++lastId, isOpen: true }))

export function dismissToast(id: number) {
  if (!toasts.read().some((shown) => shown.id === id && shown.isOpen)) return
  toasts.set(closeToast(toasts.read(), id))
  setTimeout(() => toasts.set(removeToast(toasts.read(), id)), TOAST_REMOVE_DELAY)
}
