import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const assign = vi.fn<(url: string) => void>()
const reload = vi.fn<() => void>()
const user = { id: 'ada', view: { endsAt: '2026-11-27T12:15:00.000Z' } }
let events: EventTarget
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T12:00:00Z') })
  vi.resetModules()
  assign.mockReset()
  reload.mockReset()
  events = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', events)
  vi.stubGlobal('location', { assign, reload })
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage() {}
      close() {}
    },
  )
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function watch(viewEndsAt?: string) {
  const { watchSession } = await import('./watchSession.client.ts')
  const { isLeaveForced } = await import('../../kit/forcedLeave.client.ts')
  stop = watchSession(user.id, viewEndsAt)
  return { isLeaveForced }
}

/** Returns the signed-in account when the tab becomes visible again. */
async function showAgain(reply: object) {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(reply)))
  events.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
}

test('a page leaves a view at its end, also with unsaved changes', async () => {
  const { isLeaveForced } = await watch(user.view.endsAt)
  vi.advanceTimersByTime(15 * 60_000)
  expect([assign.mock.calls, isLeaveForced()]).toEqual([[], false])
  vi.advanceTimersByTime(500)
  expect([assign.mock.calls, isLeaveForced()]).toEqual([[['/admin/members/ada']], true])
})

test('a page stays open without a view, and after the watch has stopped', async () => {
  await watch()
  vi.advanceTimersByTime(24 * 3600_000)
  await watch(user.view.endsAt)
  stop()
  vi.advanceTimersByTime(24 * 3600_000)
  expect(assign).not.toHaveBeenCalled()
})

test.each([
  ['stays in the same view', user.view.endsAt, user, 0],
  ['stays without a view', undefined, { id: 'ada' }, 0],
  ['reloads when a view of the same account starts', undefined, user, 1],
  ['reloads when the view ends and the account stays', user.view.endsAt, { id: 'ada' }, 1],
  ['reloads when another account is signed in', undefined, { id: 'bob' }, 1],
])('a tab that shows again %s', async (_, viewEndsAt, reply, count) => {
  await watch(viewEndsAt)
  await showAgain(reply)
  expect(reload).toHaveBeenCalledTimes(count)
})
