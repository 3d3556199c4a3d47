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

const openToasts = async () => (await import('../../ui/toasts/toast.client.ts')).toasts.read().map(({ title }) => title)

/** Opens the page anew and shows it to another account. */
async function openForOther() {
  stop()
  vi.resetModules()
  await watch()
  await showAgain({ id: 'bob' })
}

test('a page that reloaded within a minute asks the user to reload, so that it never reloads in a loop', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  await openForOther()
  expect(reload).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(59_000)
  await openForOther()
  expect([reload.mock.calls.length, await openToasts()]).toEqual([1, ['This page is out of date']])
  vi.advanceTimersByTime(120_000)
  await showAgain({ id: 'bob' })
  expect(reload).toHaveBeenCalledTimes(1)
  await openForOther()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a page that can store nothing does not reload again soon after a reload', async () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as PerformanceNavigationTiming])
  await openForOther()
  expect([reload.mock.calls.length, await openToasts()]).toEqual([0, ['This page is out of date']])
  vi.advanceTimersByTime(60_000)
  await openForOther()
  expect(reload).toHaveBeenCalledTimes(1)
})
