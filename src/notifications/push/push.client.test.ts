import { afterEach, expect, test, vi } from 'vitest'
import { offerPush, readPush } from './push.client.ts'

afterEach(() => vi.unstubAllGlobals())

function open(answer: NotificationPermission) {
  const kept = new Map<string, string>()
  const notification = { permission: 'default' as NotificationPermission, requestPermission: vi.fn<() => unknown>() }
  const asked = notification.requestPermission.mockImplementation(async () => (notification.permission = answer))
  const subscription = {
    options: {},
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
  }
  const pushManager = { getSubscription: async () => null, subscribe: async () => subscription }
  vi.stubGlobal('window', { PushManager: true, Notification: true })
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve({ pushManager }) } })
  vi.stubGlobal('fetch', async () => new Response('{"publicKey":"k"}'))
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  })
  return asked
}

test.each([
  ['granted', 'on'],
  ['denied', 'blocked'],
  ['default', 'off'],
] as const)('offers push after a purchase; after the permission %s, push is %s', async (answer, state) => {
  const asked = open(answer)
  expect(await readPush()).toBe('wished')
  expect(asked).not.toHaveBeenCalled()
  const offer = offerPush()!
  // the offer repeats at the next purchase until the buyer presses it
  expect(offerPush()).toMatchObject({ label: 'Notify me' })
  offer.run()
  // synchronously in the press, because browsers ignore a later request
  expect(asked).toHaveBeenCalledTimes(1)
  await vi.waitFor(async () => expect(await readPush()).toBe(state))
  expect(offerPush()).toBeUndefined()
})
