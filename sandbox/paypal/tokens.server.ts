import { createHmac } from 'node:crypto'
import { type Answer, handleRaw, type Page, type RawRoute } from '../../src/kit/handle.server.ts'
import { isSameSecret } from '../../src/kit/secret.server.ts'
import { dropConnection, type FaultBox } from '../faults.server.ts'
import { readClockMs } from '../clock.server.ts'
import type { Keys } from './keys.server.ts'
import { Refusal, refusalFor } from './refusals.server.ts'

// Access tokens are signed instead of stored, so they survive a restart.

type Kind = 'server' | 'client'
const SECONDS: Record<Kind, number> = { server: 32_400, client: 900 }
// Prefixes of the provider's tokens.
const HEADS: Record<Kind, string> = { server: 'A21AA', client: 'eyJ' }

const signatureOf = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

export function createToken(secret: string, kind: Kind, seconds = SECONDS[kind]): string {
  const text = `${HEADS[kind]}${Math.floor(readClockMs() / 1000) + seconds}`
  return `${text}.${signatureOf(secret, text)}`
}

function kindOfToken(secret: string, token: string): Kind | null {
  const [text = '', signature = ''] = token.split('.')
  if (!isSameSecret(signature, signatureOf(secret, text))) return null
  const kind = text.startsWith(HEADS.server) ? 'server' : 'client'
  return Number(text.slice(HEADS[kind].length)) * 1000 > readClockMs() ? kind : null
}

export function checkBearer(keys: Keys, authorization = '') {
  const kind = kindOfToken(keys.tokenSecret, authorization.replace(/^Bearer /, ''))
  if (kind === null) throw new Refusal(401)
  if (kind !== 'server') throw refusalFor('PERMISSION_DENIED')
}

export const hasCredentials = ({ clientId, clientSecret }: Keys, authorization = '') =>
  isSameSecret(authorization, `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)

const answer = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

const FORM = { access: 'public', body: 'bytes', bodyLimit: 8192 } as const
const fieldOf = ({ body }: Page, name: string) => new URLSearchParams(body.toString('utf8')).get(name) ?? ''

export function tokenRoutes({ keys, faults }: { keys: Keys; faults: FaultBox }): RawRoute[] {
  return [
    handleRaw(
      'POST /sandbox/paypal/v1/oauth2/token',
      { ...FORM, about: "Issues a token for the shop's server or for its pages.", isFromBrowser: false },
      async (page) => {
        const fault = faults.roll('error', 'lost')
        if (fault === 'lost') dropConnection(page)
        // The token call has its own error format.
        if (fault === 'error') return answer(503, { error: 'server_error', error_description: 'Internal server error' })
        if (!hasCredentials(keys, page.header('authorization')))
          return answer(401, { error: 'invalid_client', error_description: 'Client Authentication failed' })
        if (fieldOf(page, 'grant_type') !== 'client_credentials')
          return answer(400, { error: 'unsupported_grant_type', error_description: 'Grant Type is not supported' })
        const kind = fieldOf(page, 'response_type') === 'client_token' ? 'client' : 'server'
        const token = createToken(keys.tokenSecret, kind)
        return answer(200, { access_token: token, token_type: 'Bearer', expires_in: SECONDS[kind] })
      },
    ),

    handleRaw(
      'POST /sandbox/paypal/web-sdk/v6/instances',
      { ...FORM, about: "Checks the client token of the sandbox's browser script." },
      async (page) =>
        kindOfToken(keys.tokenSecret, fieldOf(page, 'clientToken')) === 'client'
          ? answer(200, { environment: 'sandbox' })
          : answer(401, { message: 'The client token is not valid.' }),
    ),
  ]
}
