import { createECDH, hkdfSync } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { isOutside, lookupOutside } from '../../kit/outside/outside.server.ts'
import { endpointProblem } from './push.rules.ts'

const DAY_SECONDS = 24 * 3600
const TIMEOUT_MS = 10_000

export type PushKeys = { publicKey: string; privateKey: string }

/** Derives the key pair from the shop's secret, so that all nodes share it. */
export function derivePushKeys(secret: string): PushKeys {
  const pair = createECDH('prime256v1')
  for (let attempt = 0; ; attempt++) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `push ${attempt}`, 32))
    try {
      pair.setPrivateKey(bytes)
    } catch {
      // The key is beyond the order of the curve, which happens once in 2^32 secrets.
      continue
    }
    return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url') }
  }
}

type Subscription = { endpoint: string; p256dh: string; auth: string }
export type Sender = { keys: PushKeys; subject: string; isTest: boolean }

export async function pushTo({ keys, subject, isTest }: Sender, to: Subscription, message: string): Promise<number> {
  const problem = endpointProblem(to.endpoint, isTest)
  if (problem) throw new Error(`the endpoint ${problem}`)
  // Loads the library on demand, because it takes 14 MB.
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
    message,
    { vapidDetails: { subject, ...keys }, TTL: DAY_SECONDS, urgency: 'normal', contentEncoding: 'aes128gcm' },
  )
  return post(new URL(to.endpoint), headers as Record<string, string>, body!, isTest)
}

/** Follows no redirect and reads no body, so that an endpoint cannot use the shop to read other servers. */
function post(url: URL, headers: Record<string, string>, body: Buffer, isTest: boolean): Promise<number> {
  const isPlain = isTest && url.protocol === 'http:'
  if (!isPlain && isIP(url.hostname) && !isOutside(url.hostname)) throw new Error('not a public address')
  return new Promise((done, fail) => {
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false }
    const call = isPlain ? requestPlain(url, options) : request(url, { ...options, lookup: lookupOutside })
    call.on('response', (response) => {
      response.destroy()
      done(response.statusCode ?? 0)
    })
    call.on('error', fail)
    call.end(body)
  })
}
