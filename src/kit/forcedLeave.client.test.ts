import { expect, test, vi } from 'vitest'
import { forceLeave, isLeaveForced } from './forcedLeave.client.ts'

test('the first forced leave wins, and later ones do nothing', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  expect(isLeaveForced()).toBe(false)
  // the page counts as left while it leaves, so that it does not warn about unsaved changes
  forceLeave(() => {
    first()
    expect(isLeaveForced()).toBe(true)
    forceLeave(second)
  })
  forceLeave(second)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0])
})
