import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Answer } from '../../kit/handle.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { csvOf, findUnwritable, pain001Of } from './bankFile.rules.ts'
import { lockBatch, noteExport, payoutsIn } from './batches.store.server.ts'
import type { Payouts } from './context.server.ts'
import type { PayoutRow } from './payouts.store.server.ts'

const NOTHING_TO_PAY = new Failure(409, 'No payout of this batch waits for the bank.', 'nothing_to_pay')

const isToPay = ({ state }: Pick<PayoutRow, 'state'>) => state === 'approved' || state === 'processing'

/** Records every access to account numbers in the audit log. */
export async function fileOf(
  payouts: Payouts,
  db: Db,
  staffId: string,
  id: string,
  kind: 'csv' | 'xml',
): Promise<Answer> {
  const { bank } = payouts.config.payouts
  const text = await inTransaction(db, async (tx) => {
    const batch = isUuid(id) ? await lockBatch(tx, id) : undefined
    if (batch?.method !== 'bank') throw new Failure(404, 'Not found')
    if (!bank) throw new Failure(409, 'Set PAYOUT_BANK_ACCOUNT and PAYOUT_BANK_CODE first.', 'bank_missing')
    const payments = (await payoutsIn(tx, id)).filter(isToPay).map((row) => {
      const details = payouts.open(row)
      if (details.method !== 'bank') throw new Error('a batch for the bank holds another payout')
      return { id: row.id, amountCents: row.amountCents, ...details }
    })
    if (payments.length === 0) throw NOTHING_TO_PAY
    const unwritable = kind === 'xml' ? findUnwritable(payments) : undefined
    if (unwritable)
      throw new Failure(
        409,
        `The bank’s file accepts Latin letters only, and the payout ${unwritable.id.slice(0, 8)} goes to “${unwritable.holder}”. Mark it as failed, so that its seller corrects the name, or use the CSV.`,
        'name_unwritable',
      )
    await noteExport(tx, id)
    await recordAct(tx, { actorId: staffId, act: 'payout.exported', subjectId: id, details: { file: kind } })
    const debtor = { name: payouts.config.storeName, ...bank }
    const order = { batchId: id, createdAt: batch.createdAt, debtor, payments }
    return kind === 'csv' ? csvOf(order) : pain001Of(order)
  })
  return {
    status: 200,
    headers: {
      'content-type': kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8',
      'content-disposition': `attachment; filename="payouts-${id.slice(0, 8)}.${kind}"`,
      'cache-control': 'private, no-store',
    },
    body: text,
  }
}
