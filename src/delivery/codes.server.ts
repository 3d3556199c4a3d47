import { createHmac } from 'node:crypto'
import type { Updateable } from 'kysely'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import { createSeal, deriveKey } from '../kit/seal.server.ts'
import type { CodesTable } from '../kit/tables.ts'

// Gift cards and vouchers: encrypted at rest, reserved before the payment, sold once.

export type CodeVault = ReturnType<typeof openCodeVault>

/** Encrypts with AES-256-GCM under a key derived from the store's secret. The fingerprint finds duplicates. */
export function openCodeVault(secret: string) {
  const codes = createSeal(secret, 'primo codes v1')
  const fingerprintKey = deriveKey(secret, 'primo code fingerprints v1')
  return {
    seal(code: string) {
      const sealed = codes.seal(code)
      return {
        // format byte, nonce, tag, text
        ciphertext: Buffer.concat([
          Buffer.from([1]),
          sealed.subarray(0, 12),
          sealed.subarray(-16),
          sealed.subarray(12, -16),
        ]),
        fingerprint: createHmac('sha256', fingerprintKey).update(code).digest('base64url'),
      }
    },
    open(ciphertext: Buffer): string {
      const [nonce, tag, text] = [ciphertext.subarray(1, 13), ciphertext.subarray(13, 29), ciphertext.subarray(29)]
      const code = codes.open(Buffer.concat([nonce, text, tag]))
      if (!code) throw new Error('a stored code does not open: SECRET changed')
      return code.toString()
    },
  }
}

/** Adds codes to the stock of a product, without duplicates. Returns the number of new codes. */
export async function addCodes(db: Db | Tx, vault: CodeVault, productId: string, codes: string[]): Promise<number> {
  if (codes.length === 0) return 0
  const rows = await db
    .insertInto('codes')
    .values(codes.map((code) => ({ productId, ...vault.seal(code) })))
    .onConflict((conflict) => conflict.columns(['productId', 'fingerprint']).doNothing())
    .returning('id')
    .execute()
  return rows.length
}

export type CodeLine = { id: string; productId: string; quantity: number }

/** False if too few are free; the caller then rolls back. Skips locked codes, so buyers never wait for each other. */
export async function holdCodes(tx: Tx, paymentId: string, lines: CodeLine[]): Promise<boolean> {
  for (const line of lines) {
    const held = await countCodes(tx, paymentId, line.id)
    const wanted = line.quantity - held
    if (wanted <= 0) continue
    const free = tx
      .selectFrom('codes')
      .select('id')
      .where('productId', '=', line.productId)
      .where('state', '=', 'free')
      .orderBy('id')
      .limit(wanted)
      .forUpdate()
      .skipLocked()
    const taken = await tx
      .updateTable('codes')
      .set({ state: 'held', paymentId, orderLineId: line.id, updatedAt: now })
      .where('id', 'in', free)
      .returning('id')
      .execute()
    if (taken.length < wanted) return false
  }
  return true
}

async function countCodes(tx: Tx, paymentId: string, orderLineId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('paymentId', '=', paymentId)
    .where('orderLineId', '=', orderLineId)
    .where('state', 'in', ['held', 'sold'])
    .executeTakeFirstOrThrow()
  return count
}

export const sellHeldCodes = (tx: Tx, paymentId: string) => changeHeld(tx, paymentId, { state: 'sold' })

/** Returns the reserved codes of a failed payment to the stock. */
export const releaseCodes = (tx: Tx, paymentId: string) =>
  changeHeld(tx, paymentId, { state: 'free', paymentId: null, orderLineId: null })

async function changeHeld(tx: Tx, paymentId: string, change: Updateable<CodesTable>) {
  await tx
    .updateTable('codes')
    .set({ ...change, updatedAt: now })
    .where('paymentId', '=', paymentId)
    .where('state', '=', 'held')
    .execute()
}

/** Withdraws refunded codes. The buyer may have seen them, so they are never sold again. */
export async function voidCodes(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('codes')
    .set({ state: 'void', updatedAt: now })
    .where('orderLineId', 'in', orderLineIds)
    .where('state', '=', 'sold')
    .execute()
}
