import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import type { Payment } from '../../payments/payments.store.server.ts'
import { readLeftLines, type RefundLine } from '../../payments/refunds/refundLines.store.server.ts'
import { isUnused, readCreditLeftCents, readLeftCents, type RefundWanted } from '../../payments/refunds.store.server.ts'
import { centsOfCopies } from '../../payments/refunds/returns.rules.ts'
import { effectOf, restOf, type RefundTerms } from './refund.rules.ts'

export type RefundWish = { amountCents?: number | undefined; lines?: AskedLine[] | undefined }
export type AskedLine = { orderLineId: string; quantity: number }

const ALL_BACK = new Failure(409, 'All of it is given back already.', 'refund_too_large')
const TOO_LARGE = new Failure(409, 'More than was paid cannot be given back.', 'refund_too_large')
const WHOLE_ONLY = new Failure(409, 'What could not be used goes back whole.', 'refund_whole_only')
const LINE_BACK = new Failure(409, 'So many copies of this are not left to refund.', 'line_refunded')
const PARTS_BACK = new Failure(
  409,
  'A refund of this order is under way or has returned a part of these. Refund an amount instead.',
  'refund_changed',
)

/** Computes the effects of a requested refund under the lock of order and payments. Throws 404 and 409. */
export async function readWanted(
  tx: Tx,
  order: { id: string; creditCents: number },
  payment: Payment,
  asked: RefundWish,
) {
  const isCredit = payment.provider === CREDIT
  const terms: RefundTerms = {
    paidCents: payment.amountCents,
    leftCents: await readLeftCents(tx, payment),
    creditCents: isCredit || isUnused(payment) ? 0 : await readCreditLeftCents(tx, payment, order),
    isCredit,
    isUnused: isUnused(payment),
    bonusCents: 0,
  }
  if (restOf(terms) <= 0) throw ALL_BACK
  if (asked.lines) return readWantedLines(tx, order, terms, asked.lines)
  const { leftCents } = terms
  // for an approval of remaining credit only, the amount is that credit
  const isCreditRest = leftCents === 0 && asked.amountCents === terms.creditCents
  const amountCents = isCreditRest ? 0 : (asked.amountCents ?? leftCents)
  if (terms.isUnused && amountCents !== leftCents) throw WHOLE_ONLY
  if (amountCents > leftCents) throw TOO_LARGE
  const creditCents = terms.isCredit ? 0 : effectOf(terms, amountCents).creditCents
  if (amountCents + creditCents === 0) throw ALL_BACK
  return { amountCents, creditCents, lines: [] }
}

async function readWantedLines(
  tx: Tx,
  order: { id: string },
  terms: RefundTerms,
  asked: AskedLine[],
): Promise<RefundWanted> {
  if (terms.isUnused) throw WHOLE_ONLY
  const left = await readLeftLines(tx, order.id)
  const lines = asked.map(({ orderLineId, quantity }): RefundLine => {
    const line = left.find((one) => one.orderLineId === orderLineId)
    if (!line) throw new Failure(404, 'Not found')
    if (quantity > line.quantity - line.returnedQuantity) throw LINE_BACK
    const amountCents = centsOfCopies(line, quantity)
    if (amountCents === 0) throw LINE_BACK
    return { orderLineId, quantity, amountCents }
  })
  const sum = lines.reduce((cents, { amountCents }) => cents + amountCents, 0)
  // an amount in progress is not divided among the lines yet
  if (sum > restOf(terms)) throw PARTS_BACK
  if (terms.isCredit) return { amountCents: sum, creditCents: 0, lines }
  const { moneyCents, creditCents } = effectOf(terms, sum, true)
  return { amountCents: moneyCents, creditCents, lines }
}
