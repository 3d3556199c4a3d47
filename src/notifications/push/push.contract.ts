import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

const base64url = (shortest: number, longest: number) =>
  z.string().check(z.minLength(shortest), z.maxLength(longest), z.regex(/^[\w-]+=*$/))

const Endpoint = z.string().check(z.maxLength(1000))

export const getPushKey = endpoint('GET /api/push/key', {
  access: 'member',
  about: 'The public key that a browser subscribes with.',
  reply: z.object({ publicKey: z.string() }),
})

export const subscribeToPush = endpoint('POST /api/push/subscriptions', {
  access: 'member',
  about:
    'Has this browser told when an order is ready, while it is signed in. The same endpoint again changes its account, session and keys.',
  input: z.strictObject({
    endpoint: Endpoint,
    keys: z.strictObject({ p256dh: base64url(80, 100), auth: base64url(16, 40) }),
  }),
  reply: z.object({ isSubscribed: z.boolean() }),
  status: 201,
})

export const unsubscribeFromPush = endpoint('DELETE /api/push/subscriptions', {
  access: 'member',
  about: "Forgets a browser; another account's stays.",
  input: z.strictObject({ endpoint: Endpoint }),
  reply: z.object({ isSubscribed: z.boolean() }),
})
