import { call } from '../../kit/call.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { deviceStorage } from '../../kit/storage.client.ts'
import type { Toast } from '../../ui/toasts/toasts.rules.ts'
import { getPushKey, subscribeToPush, unsubscribeFromPush } from './push.contract.ts'

/** 'wished': on by default, but the browser has no permission yet; a purchase offers it. 'blocked': by the member. */
export type PushState = 'checking' | 'on' | 'wished' | 'off' | 'blocked' | 'impossible'

export const NOT_ON = 'Push notifications could not be turned on. Please try again.'
const DECLINED = 'push-declined'
const WORKER_WAIT_MS = 15_000

/** If the browser refuses storage, the choice is unknown. Then do not subscribe without asking. */
const hasDeclined = () => deviceStorage.isRefused() || deviceStorage.read(DECLINED) !== null

const isPossible = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * Reads whether this browser receives notifications. They are on by default: this subscribes without asking if the
 * browser already has the permission and the member has not turned them off.
 */
export async function readPush(): Promise<PushState> {
  if (!isPossible()) return 'impossible'
  if (Notification.permission === 'denied') return 'blocked'
  const worker = await findWorker()
  if (!worker) return 'impossible'
  if (hasDeclined()) return 'off'
  if (Notification.permission !== 'granted') return 'wished'
  await subscribe(worker)
  return 'on'
}

export async function turnPushOn(): Promise<PushState> {
  // first, because browsers ask for the permission only during a press
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  const worker = await findWorker()
  if (!worker) return 'impossible'
  await subscribe(worker)
  deviceStorage.write(DECLINED, null)
  return 'on'
}

/** Returns the offer in the notification about a purchase. Closing the browser's prompt declines it for good. */
export function offerPush(): Toast['action'] {
  if (!isPossible() || hasDeclined() || Notification.permission !== 'default') return undefined
  const ask = async () => (await turnPushOn()) === 'off' && deviceStorage.write(DECLINED, '1')
  const failed = (error: unknown) => toastFailure(error, NOT_ON)
  return { label: 'Notify me', hint: 'Turn on push notifications in Settings', run: () => void ask().catch(failed) }
}

export async function turnPushOff(): Promise<PushState> {
  deviceStorage.write(DECLINED, '1')
  const subscription = await (await findWorker())?.pushManager.getSubscription()
  if (subscription) {
    await call(unsubscribeFromPush, { endpoint: subscription.endpoint })
    await subscription.unsubscribe()
  }
  return 'off'
}

async function subscribe({ pushManager }: ServiceWorkerRegistration) {
  const { publicKey } = await call(getPushKey, {})
  let subscription = await pushManager.getSubscription()
  if (subscription && keyOf(subscription) !== publicKey) {
    // The subscription was made with another key, such as before SECRET changed.
    await subscription.unsubscribe()
    subscription = null
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  await call(subscribeToPush, { endpoint: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const findWorker = (): Promise<ServiceWorkerRegistration | null> =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<null>((done) => setTimeout(() => done(null), WORKER_WAIT_MS)),
  ])
