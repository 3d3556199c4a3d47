import { codeOf, type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { enqueueRefund } from '../../payments/refunds.store.server.ts'
import type { Chain } from './chain.server.ts'
import { endException } from './level.server.ts'
import type { TokenTransfer } from './rpc.server.ts'
import { findCursor } from './cursor.store.server.ts'
import type { Place } from './transfers.store.server.ts'
import { formatUnits, unitsOf } from './units.rules.ts'
import { firstOf } from '../../kit/values/required.ts'

// Verifies on the chain that staff sent money to a buyer from their own wallet.

export type SentVerdict =
  | { kind: 'waiting' }
  | { kind: 'verified'; logIndex: number }
  /** The transaction can never match, so staff must enter another. */
  | { kind: 'wrong'; problem: string }

/** `addresses`: all addresses that the buyer entered, because staff may have sent the money just before a change. */
type SentQuery = { amountCents: number; addresses: string[]; confirmations: number }

/** `transfers`: of the transaction, null until the chain contains it. `used`: transfers of other exceptions. */
export function evaluateSent(
  { amountCents, addresses, confirmations }: SentQuery,
  transfers: TokenTransfer[] | null,
  headNumber: number,
  used: number[],
): SentVerdict {
  if (transfers === null) return { kind: 'waiting' }
  const wanted = unitsOf(amountCents)
  const own = new Set(addresses.map((address) => address.toLowerCase()))
  const toBuyer = transfers.filter(({ receiver }) => own.has(receiver.toLowerCase()))
  const fitting = toBuyer.find(({ units, logIndex }) => units === wanted && !used.includes(logIndex))
  if (!fitting) {
    const problem =
      toBuyer.length === 0
        ? 'This transaction sends no USDC to the buyer’s address.'
        : toBuyer.some(({ units }) => units === wanted)
          ? 'This transaction was named for another refund already.'
          : `This transaction sends ${formatUnits(firstOf(toBuyer).units)} USDC instead of ${formatUnits(wanted)}.`
    return { kind: 'wrong', problem }
  }
  if (headNumber - fitting.blockNumber + 1 < confirmations) return { kind: 'waiting' }
  return { kind: 'verified', logIndex: fitting.logIndex }
}

export async function verifySent({ db, chain, place }: { db: Db; chain: Chain; place: Place }) {
  const rows = await db
    .selectFrom('usdcExceptions as e')
    .innerJoin('usdcAddresses as a', 'a.paymentId', 'e.paymentId')
    .select(['e.id', 'e.paymentId', 'e.refundId', 'e.amountCents', 'e.refundAddress', 'e.txHash', 'a.confirmations'])
    .select('e.formerAddresses')
    .where('e.state', '=', 'sent')
    .where('a.chainId', '=', place.chainId)
    .where('a.token', '=', place.token)
    .orderBy('e.createdAt')
    .execute()
  const headNumber = (await findCursor(db, place))?.blockNumber ?? 0
  for (const { refundAddress, formerAddresses, txHash, ...row } of rows) {
    const found = await chain.transfersOf(txHash!)
    if (found.kind === 'away') return
    // a transaction that the nodes disagree about must not block the others
    if (found.kind === 'disagreed') continue
    const verdict = evaluateSent(
      { ...row, addresses: [refundAddress!, ...formerAddresses] },
      found.transfers,
      headNumber,
      await usedOf(db, txHash!),
    )
    if (verdict.kind === 'waiting') continue
    await inTransaction(db, (tx) => write(tx, { ...row, txHash: txHash! }, verdict)).catch((error: unknown) => {
      // two exceptions claimed one transfer at once; the next run rejects the second
      if (codeOf(error) !== '23505') throw error
    })
  }
}

async function usedOf(db: Db, txHash: string): Promise<number[]> {
  const rows = await db
    .selectFrom('usdcExceptions')
    .select('logIndex')
    .where('txHash', '=', txHash)
    .where('state', '=', 'done')
    .execute()
  return rows.flatMap(({ logIndex }) => logIndex ?? [])
}

type Sent = { id: string; paymentId: string; refundId: string | null; txHash: string }

async function write(tx: Tx, row: Sent, verdict: Exclude<SentVerdict, { kind: 'waiting' }>) {
  if (verdict.kind === 'wrong') {
    await tx
      .updateTable('usdcExceptions')
      .set({ state: 'open', txHash: null, problem: verdict.problem })
      .where('id', '=', row.id)
      .execute()
    return
  }
  await endException(tx, row.id, 'returned', { txHash: row.txHash, logIndex: verdict.logIndex })
  await tx.updateTable('usdcAddresses').set({ isDue: true }).where('paymentId', '=', row.paymentId).execute()
  if (row.refundId) await enqueueRefund(tx, row.refundId)
}
