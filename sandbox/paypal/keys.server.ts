import { createPrivateKey, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { createId } from '../store.server.ts'
import { readClockMs } from '../clock.server.ts'
import { required } from '../../src/kit/values/required.ts'

export type Keys = { clientId: string; clientSecret: string; webhookId: string; tokenSecret: string }

/** Returns the sandbox's secrets. The first node creates them; all nodes share them. */
export async function openKeys(pool: pg.Pool): Promise<Keys> {
  const secret = () => randomBytes(32).toString('base64url')
  await pool.query(
    `INSERT INTO sandbox.keys (name, value) VALUES ('client_secret', $1), ('token_secret', $2), ('webhook_id', $3)
     ON CONFLICT DO NOTHING`,
    [secret(), secret(), createId()],
  )
  const { rows } = await pool.query<{ name: string; value: string }>('SELECT name, value FROM sandbox.keys')
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  return {
    clientId: 'sandbox-client',
    clientSecret: required(values.client_secret, 'the client secret'),
    webhookId: required(values.webhook_id, 'the webhook id'),
    tokenSecret: required(values.token_secret, 'the token secret'),
  }
}

// This key is public, so a signature proves nothing by itself. It also covers the webhook id, which is secret here.
export const CERTIFICATE = readFileSync(join(import.meta.dirname, 'certificate.pem'), 'utf8')
const signingKey = createPrivateKey(readFileSync(join(import.meta.dirname, 'certificate.key.pem')))

export const CERTIFICATE_NAME = 'CERT-sandbox'

// With a callback, `sign` runs on a worker thread.
const signAside = promisify(sign)

export async function signEvent(
  { webhookId }: Keys,
  base: string,
  body: string,
  key: KeyObject = signingKey,
  at = new Date(readClockMs()),
) {
  const id = randomUUID()
  const time = `${at.toISOString().slice(0, 19)}Z`
  const signature = await signAside('sha256', Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`), key)
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature.toString('base64'),
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${base}/v1/notifications/certs/${CERTIFICATE_NAME}`,
  }
}
