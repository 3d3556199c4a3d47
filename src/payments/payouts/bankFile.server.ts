import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Answer } from '../../kit/handle.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { csvOf, findUnwritable, pain001Of } from './bankFile.rules.ts'
import { findBatch, noteExport, payoutsIn } from './batches.store.server.ts'
import type { Payouts } from './context.server.ts'

/** Records every access to account numbers in the audit log. */
export async function fileOf(
  payouts: Payouts,
  db: Db,
  staffId: string,
  id: string,
  kind: 'csv' | 'xml',
): Promise<Answer> {
  const batch = isUuid(id) ? await findBatch(db, id) : undefined
  if (batch?.method !== 'bank') throw new Failure(404, 'Not found')
  const { bank } = payouts.config.payouts
  if (!bank) throw new Failure(409, 'Set PAYOUT_BANK_ACCOUNT and PAYOUT_BANK_CODE first.', 'bank_missing')
  const rows = (await payoutsIn(db, id)).filter(({ sealed }) => sealed)
  const payments = rows.map((row) => {
    const details = payouts.open(row)
    if (details.method !== 'bank') throw new Error('a batch for the bank holds another payout')
    return { id: row.id, amountCents: row.amountCents, ...details }
  })
  const unwritable = kind === 'xml' ? findUnwritable(payments) : undefined
  if (unwritable)
    throw new Failure(
      409,
      `The bank’s file accepts Latin letters only, and the payout ${unwritable.id.slice(0, 8)} goes to “${unwritable.holder}”. Mark it as failed, so that its seller corrects the name, or use the CSV.`,
      'name_unwritable',
    )
  await inTransaction(db, async (tx) => {
    await noteExport(tx, id)
    await recordAct(tx, { actorId: staffId, act: 'payout.exported', subjectId: id, details: { file: kind } })
  })
  const order = {
    batchId: id,
    createdAt: batch.createdAt,
    debtor: { name: payouts.config.storeName, ...bank },
    payments,
  }
  return {
    status: 200,
    headers: {
      'content-type': kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml; charset=utf-8',
      'content-disposition': `attachment; filename="payouts-${id.slice(0, 8)}.${kind}"`,
      'cache-control': 'private, no-store',
    },
    body: kind === 'csv' ? csvOf(order) : pain001Of(order),
  }
}
