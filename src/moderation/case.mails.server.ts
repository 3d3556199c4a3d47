import type { Tx } from '../kit/database.server.ts'
import { sendMail } from '../kit/mail/mail.server.ts'
import { type Case, readReporters } from './cases.store.server.ts'
import { mailMember, type Mailing } from '../notifications/mail/caseMail.server.ts'

export const mailTakenDown = (
  tx: Tx,
  mailing: Mailing,
  { id, title, sellerId, productId, review }: Case,
  why: string,
) =>
  review
    ? review.authorId &&
      mailMember(tx, mailing, review.authorId, {
        key: `review-hidden:${id}:${Date.now()}`,
        subject: 'We have hidden your review',
        lines: [`Your review of “${title}” is not shown any more.`, `Reason: ${why}`],
      })
    : mailMember(tx, mailing, sellerId, {
        key: `taken-down:${id}:${Date.now()}`,
        subject: 'We have taken your product off sale',
        lines: [
          `“${title}” can’t be found or bought any more. Your buyers keep what they bought.`,
          `Reason: ${why}`,
          'If you have mended it, or if we are wrong, answer on the product’s page.',
        ],
        action: { label: 'Answer', path: `/product/${productId}` },
      })

export const mailKept = (tx: Tx, mailing: Mailing, { id, title, sellerId, productId }: Case) =>
  mailMember(tx, mailing, sellerId, {
    key: `kept:${id}`,
    subject: 'Your product stays on sale',
    lines: [`We have looked at “${title}” and leave it as it is. Thank you for your time.`],
    action: { label: 'Open the product', path: `/product/${productId}` },
  })

export const mailRestored = (tx: Tx, mailing: Mailing, { id, title, sellerId, productId, review }: Case) =>
  review
    ? review.authorId &&
      mailMember(tx, mailing, review.authorId, {
        key: `review-restored:${id}:${Date.now()}`,
        subject: 'Your review is shown again',
        lines: [`We have looked at your review of “${title}” once more.`],
      })
    : mailMember(tx, mailing, sellerId, {
        key: `restored:${id}:${Date.now()}`,
        subject: 'Your product may be sold again',
        lines: [`We have looked at “${title}” once more and put it back.`],
        action: { label: 'Open the product', path: `/product/${productId}` },
      })

export const mailAnswerJudged = (
  tx: Tx,
  mailing: Mailing,
  { id, title, sellerId, productId }: Case,
  { isHidden, message }: { isHidden: boolean; message: string },
) =>
  mailMember(tx, mailing, sellerId, {
    key: `review-answer:${id}:${Date.now()}`,
    subject: isHidden ? 'We have hidden your answer to a review' : 'Your answer to a review is shown again',
    lines: [
      isHidden
        ? `Your answer to a review of “${title}” is not shown any more.`
        : `We have looked at your answer to a review of “${title}” once more.`,
      `Reason: ${message}`,
    ],
    action: { label: 'Open the product', path: `/my-products/${productId}` },
  })

/** Notifies reporters that staff decided, without the decision. */
export async function mailReporters(tx: Tx, { config }: Mailing, { id, title }: Case) {
  for (const { id: reportId, email } of await readReporters(tx, id))
    await sendMail(tx, config, {
      key: `report-decided:${reportId}`,
      to: email,
      subject: 'We have looked at your report',
      lines: [`Thank you for your report about “${title}”. We have looked at it and decided.`],
    })
}
