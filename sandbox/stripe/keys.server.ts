import { createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { readClockMs } from '../clock.server.ts'
import { required } from '../../src/kit/values/required.ts'

export type Keys = { secretKey: string; webhookSecret: string }

export async function openKeys(pool: pg.Pool): Promise<Keys> {
  const secret = () => randomBytes(24).toString('hex')
  await pool.query(
    `INSERT INTO sandbox.keys (name, value) VALUES ('stripe_key', $1), ('stripe_webhook', $2) ON CONFLICT DO NOTHING`,
    [`sk_test_${secret()}`, `whsec_${secret()}`],
  )
  const { rows } = await pool.query<{ name: string; value: string }>(
    `SELECT name, value FROM sandbox.keys WHERE name IN ('stripe_key', 'stripe_webhook')`,
  )
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  return {
    secretKey: required(values.stripe_key, 'the stripe key'),
    webhookSecret: required(values.stripe_webhook, 'the stripe webhook'),
  }
}

export function signEvent({ webhookSecret }: Pick<Keys, 'webhookSecret'>, body: string, at = new Date(readClockMs())) {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')
  return { 'stripe-signature': `t=${seconds},v1=${signature}` }
}
