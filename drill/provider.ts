import type pg from 'pg'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { saveSandboxWallet } from '../sandbox/paypal/wallets.server.ts'
import { saveSandboxCard } from '../sandbox/stripe/cards.server.ts'
import { readCaptures } from '../sandbox/stripe/testRoutes.server.ts'
import type { Db } from '../src/kit/database.server.ts'

export type DrillProvider = {
  name: 'paypal' | 'stripe'
  saveMethod: (db: Db, owner: { email: string }) => Promise<{ vaultId: string; label: string }>
  storedCaptures: (pool: pg.Pool) => Promise<SandboxCapture[]>
  /** Smallest amount that the provider accepts as a payment. */
  leastCents: number
  /** True if the provider takes the money only when the shop calls capture. */
  takesByCall: boolean
}

export const DRILL_PROVIDERS: Record<'paypal' | 'stripe', DrillProvider> = {
  paypal: {
    name: 'paypal',
    saveMethod: saveSandboxWallet,
    storedCaptures: async (pool) => {
      const { rows } = await pool.query<SandboxCapture>(
        `SELECT id, order_id AS "orderId", body->>'currency' AS currency, body->>'customId' AS "customId",
           to_char((body->>'cents')::int / 100.0, 'FM9999990.00') AS amount,
           to_char((body->>'refundedCents')::int / 100.0, 'FM9999990.00') AS refunded
         FROM sandbox.records WHERE kind = 'capture' AND body->>'status' <> 'DECLINED'`,
      )
      return rows
    },
    leastCents: 1,
    takesByCall: true,
  },
  stripe: {
    name: 'stripe',
    saveMethod: saveSandboxCard,
    storedCaptures: readCaptures,
    leastCents: 50,
    takesByCall: false,
  },
}
