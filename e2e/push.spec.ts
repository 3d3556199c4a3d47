import { createECDH } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, register, test } from './shop.ts'

test.use({ serviceWorkers: 'allow' })

/** Replaces the browser's push by a fake that needs no push service. */
async function standInForPush(page: Page, permission: NotificationPermission) {
  const key = createECDH('prime256v1').generateKeys('base64url')
  await page.addInitScript(
    ({ first, p256dh }) => {
      let subscription: object | null = null
      let permission = first
      const bytes = (length: number) =>
        btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(length))))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
      Object.defineProperty(Notification, 'permission', { get: () => permission })
      Notification.requestPermission = async () => (permission = permission === 'default' ? 'granted' : permission)
      PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
      PushManager.prototype.subscribe = async (options) => {
        const key = String(options?.applicationServerKey).replaceAll('-', '+').replaceAll('_', '/')
        const endpoint = `https://push.primo-e2e.com/${bytes(9)}`
        const keys = { p256dh, auth: bytes(16) }
        subscription = {
          endpoint,
          options: { applicationServerKey: Uint8Array.from(atob(key), (char) => char.charCodeAt(0)).buffer },
          toJSON: () => ({ endpoint, keys }),
          unsubscribe: async () => {
            subscription = null
            return true
          },
        }
        return subscription as PushSubscription
      }
    },
    { first: permission, p256dh: key },
  )
}

test('push notifications turn on after the permission and off again', async ({ page }) => {
  await standInForPush(page, 'default')
  await register(page)
  await page.goto('/settings')
  const push = page.getByRole('switch', { name: /Push Notifications/ })
  await expect(page.getByText('We’ll ask after your next purchase')).toBeVisible()
  await expect(push).toBeChecked()
  await push.uncheck()
  await expect(push).not.toBeChecked()
  const stored = page.waitForResponse(/push\/subscriptions/)
  await push.check()
  expect((await stored).status()).toBe(201)
  await expect(push).toBeChecked()
  const removed = page.waitForResponse(/push\/subscriptions/)
  await push.uncheck()
  expect((await removed).status()).toBe(200)
})

test('push subscribes automatically where the browser allows it and is disabled where it is blocked', async ({
  page,
  context,
}) => {
  await standInForPush(page, 'granted')
  const stored = page.waitForResponse(/push\/subscriptions/)
  await register(page)
  await page.goto('/')
  expect((await stored).status()).toBe(201)
  await page.goto('/settings')
  await expect(page.getByRole('switch', { name: /Push Notifications/ })).toBeChecked()
  const other = await context.newPage()
  await standInForPush(other, 'denied')
  await other.goto('/settings')
  const push = other.getByRole('switch', { name: /Push Notifications/ })
  await expect(other.getByText('Blocked for this site.')).toBeVisible()
  await expect(push).toBeDisabled()
  await expect(push).not.toBeChecked()
})
