import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../src/kit/database.server.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { ensureSchema, lockEntry, readEntry, removeEntry } from '../store.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { notFound } from './refusals.server.ts'
import { type PaymentToken, showPaymentToken } from './wire.server.ts'

export function walletRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool, base } = sandbox
  const { read, write } = callsOf(sandbox)
  return [
    read('GET /v3/vault/payment-tokens/:id', 'A saved wallet.', async ({ params }) => {
      const token = await readEntry<PaymentToken>(pool, 'payment_token', params.id)
      return token ? showPaymentToken(base, token) : null
    }),

    write(
      'DELETE /v3/vault/payment-tokens/:id',
      'Forgets a saved wallet.',
      { locks: true },
      async ({ params }, client) => {
        const token = await lockEntry<PaymentToken>(client, 'payment_token', params.id)
        if (!token) throw notFound()
        await removeEntry(client, 'payment_token', token.id)
        const event = createEvent(sandbox, 'VAULT.PAYMENT-TOKEN.DELETED', showPaymentToken(base, token))
        return { status: 204, body: null, events: [event] }
      },
    ),
  ]
}

/** Saves a wallet as if its owner had approved it. An e-mail address always gets the same wallet. */
export async function saveSandboxWallet(
  db: Db | Tx,
  { email }: { email: string },
): Promise<{ vaultId: string; label: string }> {
  const mark = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const token: PaymentToken = { id: mark.slice(0, 16), payer: { email, payerId: mark.slice(26, 39).toUpperCase() } }
  // The demo store may be written before the sandbox has opened.
  await ensureSchema((text) => sql.raw(text).execute(db))
  await sql`INSERT INTO sandbox.records (kind, id, body) VALUES ('payment_token', ${token.id}, ${JSON.stringify(token)}::json)
    ON CONFLICT DO NOTHING`.execute(db)
  return { vaultId: token.id, label: email }
}
