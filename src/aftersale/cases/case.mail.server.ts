import type { CaseRow } from '../../delivery/cases/cases.store.server.ts'
import { REASON_NAMES } from '../../delivery/cases/cases.rules.ts'
import type { Tx } from '../../kit/database.server.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { mailMember, mailFinance } from '../../notifications/mail/caseMail.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'

type Mailing = Pick<Checkout, 'config' | 'publicUrl'>
type Step = 'opened' | 'escalated' | 'replaced' | 'refunding' | 'failed' | 'rejected'

const STAFF_PATH = '/admin/code-cases'
const SELLER_PATH = '/bad-codes'

export async function notifyOfCase(tx: Tx, mailing: Mailing, found: CaseRow, step: Step) {
  const { id, userId, sellerId, answerBy, reason } = found
  const { title, path } = await readAbout(tx, found)
  // a case may have a failed refund and then another one, so the key has the refund id
  const key = `code_case:${id}:${step}${found.refundId ? `:${found.refundId}` : ''}`
  const mailOwner = (subject: string, lines: string[]) =>
    mailMember(tx, mailing, userId, { key, subject, lines, action: { label: 'Open your order', path } })
  if (step === 'opened') {
    await mailMember(tx, mailing, sellerId, {
      ...{ key: `${key}:seller`, subject: `A buyer reports a bad code of “${title}”` },
      lines: [
        `${REASON_NAMES[reason]}. Answer by ${formatMoment(answerBy.toISOString())} with another code or a refund.`,
        'Without an answer our staff decide.',
      ],
      action: { label: 'Open the report', path: SELLER_PATH },
    })
    return mailOwner(`We have your report of “${title}”`, [
      `The seller has until ${formatMoment(answerBy.toISOString())} to answer with another code or a refund. After that our staff decide.`,
    ])
  }
  if (step === 'escalated') {
    await mailFinance(tx, mailing, {
      ...{ key: `${key}:staff`, subject: `A report of a bad code waits: “${title}”` },
      lines: [`${REASON_NAMES[reason]}. The seller declined or did not answer in time.`],
      action: { label: 'Open the report', path: STAFF_PATH },
    })
    return mailOwner(`Our staff look at your report of “${title}”`, ['The seller did not settle it. We decide now.'])
  }
  if (step === 'failed') {
    await mailFinance(tx, mailing, {
      ...{ key: `${key}:staff`, subject: `The refund of a bad code failed: “${title}”` },
      lines: ['The payment provider did not make it. The buyer has neither the money nor a code that works.'],
      action: { label: 'Open the report', path: STAFF_PATH },
    })
    return mailOwner(`The refund of your code of “${title}” was not made`, [
      'The payment provider did not make it. Our staff look at your report again.',
    ])
  }
  const said = found.words ? [`“${found.words}”`] : []
  if (step === 'replaced')
    return mailOwner(`A new code of “${title}”`, ['Your code was replaced. The new one is in your order.', ...said])
  if (step === 'refunding')
    return mailOwner(`We refund your code of “${title}”`, ['We return the money of this code.', ...said])
  return mailOwner(`Your report of “${title}”`, ['We have looked at it and can’t accept it.', ...said])
}

/** Returns the order of the code's owner. For a gift, this is the order line of its recipient. */
async function readAbout(tx: Tx, { codeId, orderLineId }: CaseRow) {
  const line = await tx
    .selectFrom('codes')
    .innerJoin('orderLines', 'orderLines.id', 'codes.orderLineId')
    .select(['orderLines.title', 'orderLines.orderId'])
    .where('codes.id', '=', codeId)
    .executeTakeFirst()
  const { title, orderId } =
    line ??
    (await tx
      .selectFrom('orderLines')
      .select(['title', 'orderId'])
      .where('id', '=', orderLineId)
      .executeTakeFirstOrThrow())
  return { title, path: `/orders/${orderId}` }
}
