import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Answer, handleRaw, type Page, type RawRoute } from '../../src/kit/handle.server.ts'
import { Refusal, refusalFor } from './refusal.ts'
import type { Keys } from './keys.server.ts'

// Access tokens are signed, not stored: a restart forgets none.

type Kind = 'server' | 'client'
const SECONDS: Record<Kind, number> = { server: 32_400, client: 900 }
// the provider's tokens look like this, and so do ours
const HEADS: Record<Kind, string> = {
  server: 'A21AA',
  client: `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.`,
}

const signatureOf = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

export function createToken(secret: string, kind: Kind, seconds = SECONDS[kind]): string {
  const claims = { kind, exp: Math.floor(Date.now() / 1000) + seconds }
  const text = `${HEADS[kind]}${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${text}.${signatureOf(secret, text)}`
}

/** The kind of a token that is ours and has not expired, otherwise null. */
export function kindOfToken(secret: string, token: string): Kind | null {
  const kind = (['server', 'client'] as const).find((name) => token.startsWith(HEADS[name]))
  const dot = token.lastIndexOf('.')
  if (!kind || dot < 0 || !isSame(token.slice(dot + 1), signatureOf(secret, token.slice(0, dot)))) return null
  const claims = JSON.parse(Buffer.from(token.slice(HEADS[kind].length, dot), 'base64url').toString()) as {
    kind: Kind
    exp: number
  }
  return claims.kind === kind && claims.exp * 1000 > Date.now() ? kind : null
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Throws a 401 Refusal without a valid token, and a 403 for a browser's. */
export function checkBearer(keys: Keys, authorization: string | undefined) {
  const kind = kindOfToken(keys.tokenSecret, /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '')
  if (kind === null) throw new Refusal(401)
  if (kind !== 'server') throw refusalFor('PERMISSION_DENIED')
}

export function hasCredentials(keys: Keys, authorization: string | undefined): boolean {
  const basic = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
  return isSame(Buffer.from(basic, 'base64').toString('latin1'), `${keys.clientId}:${keys.clientSecret}`)
}

const answer = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** This call answers errors in another shape than all the rest. */
export function answerTokenCall(keys: Keys, { header, body }: Page): Answer {
  if (!hasCredentials(keys, header('authorization'))) {
    return answer(401, { error: 'invalid_client', error_description: 'Client Authentication failed' })
  }
  const form = new URLSearchParams(body.toString('utf8'))
  if (form.get('grant_type') !== 'client_credentials') {
    return answer(400, { error: 'unsupported_grant_type', error_description: 'Grant Type is not supported' })
  }
  const kind = form.get('response_type') === 'client_token' ? 'client' : 'server'
  const isServer = kind === 'server'
  const service = 'https://uri.paypal.com/services'
  return answer(200, {
    scope: isServer
      ? `${service}/payments/payment ${service}/payments/refund ${service}/vault/payment-tokens/readwrite ${service}/applications/webhooks`
      : `${service}/payments/orders/client_sdk_orders_api ${service}/payments/client-payments-eligibility`,
    access_token: createToken(keys.tokenSecret, kind),
    token_type: 'Bearer',
    ...(isServer && { app_id: 'APP-80W284485P519543T' }),
    expires_in: SECONDS[kind],
    nonce: `${new Date().toISOString().slice(0, 19)}Z${crypto.randomUUID()}`,
  })
}

/** The browser script shows its client token, or the client id, before it makes an instance. */
export function instanceRoute(keys: Keys): RawRoute {
  return handleRaw(
    'POST /sandbox/paypal/web-sdk/v6/instances',
    {
      access: 'public',
      about: "The sandbox's browser script checks its client token.",
      body: 'bytes',
      bodyLimit: 8192,
    },
    async ({ body }) => {
      const form = new URLSearchParams(body.toString('utf8'))
      const isKnown =
        form.get('clientId') === keys.clientId ||
        kindOfToken(keys.tokenSecret, form.get('clientToken') ?? '') === 'client'
      return isKnown
        ? answer(200, { environment: 'sandbox' })
        : answer(401, { message: 'The client token is not valid.' })
    },
  )
}
