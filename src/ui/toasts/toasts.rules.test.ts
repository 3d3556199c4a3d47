import { expect, test } from 'vitest'
import {
  addToast,
  closeToast,
  removeToast,
  type ShownToast,
  TOAST_DURATION,
  TOAST_REMOVE_DELAY,
} from './toasts.rules.ts'

const shown = (id: number): ShownToast => ({ id, title: `Toast ${id}`, isOpen: true })

test('a new notification replaces the one on screen', () => {
  expect(addToast(addToast([], shown(1)), shown(2))).toEqual([shown(2)])
})

test('a dismissed notification closes first and is removed later', () => {
  const closed = closeToast([shown(1)], 1)
  expect(closed).toEqual([{ ...shown(1), isOpen: false }])
  expect(removeToast(closed, 1)).toEqual([])
  expect(removeToast(closed, 2)).toEqual(closed)
})

test('the timings match the specification', () => {
  expect([TOAST_DURATION, TOAST_REMOVE_DELAY]).toEqual([5000, 1_000_000])
})
