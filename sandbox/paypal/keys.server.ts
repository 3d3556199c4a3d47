import { createHash, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createSigningKey } from './certificate.server.ts'
import { createId } from './store.server.ts'

export type Keys = {
  clientId: string
  clientSecret: string
  webhookId: string
  tokenSecret: string
  signingKey: KeyObject
  certificate: string
  /** The last part of the certificate's address. */
  certificateName: string
}

const CLIENT_ID = 'sandbox-client'
const NAMES = ['client_secret', 'webhook_id', 'token_secret', 'signing_key', 'certificate'] as const

/** The sandbox's secrets, made by the first node that needs them and the same for all from then on. */
export async function openKeys(pool: pg.Pool): Promise<Keys> {
  let values = await readKeys(pool)
  if (NAMES.some((name) => !values.has(name))) {
    await keepKeys(pool)
    values = await readKeys(pool)
  }
  const certificate = values.get('certificate')!
  return {
    clientId: CLIENT_ID,
    clientSecret: values.get('client_secret')!,
    webhookId: values.get('webhook_id')!,
    tokenSecret: values.get('token_secret')!,
    signingKey: createPrivateKey(values.get('signing_key')!),
    certificate,
    certificateName: `CERT-${createHash('sha256').update(certificate).digest('hex').slice(0, 24)}`,
  }
}

async function readKeys(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; value: string }>('SELECT name, value FROM sandbox.keys')
  return new Map(rows.map(({ name, value }) => [name, value]))
}

async function keepKeys(pool: pg.Pool) {
  const { privateKey, certificate } = await createSigningKey('Primo payment sandbox')
  const values: Record<(typeof NAMES)[number], string> = {
    client_secret: randomBytes(32).toString('base64url'),
    webhook_id: createId(),
    token_secret: randomBytes(32).toString('base64url'),
    signing_key: privateKey,
    certificate,
  }
  // one statement: of two nodes that start at once, all five are the first one's
  await pool.query(
    'INSERT INTO sandbox.keys (name, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING',
    [NAMES, NAMES.map((name) => values[name])],
  )
}
