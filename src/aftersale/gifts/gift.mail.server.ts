import {
  changeGift,
  findClaimedLine,
  findGift,
  type GiftRow,
  lockDueGifts,
  openGiftLinks,
} from '../../delivery/gifts/gifts.store.server.ts'
import { hasRealAddress } from '../../delivery/gifts/addresses.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { createMailSeal } from '../../kit/mail/mailSeal.server.ts'
import { whyTakenBack } from '../../purchases/giftOrder.rules.ts'
import { mailMember } from '../../notifications/mail/caseMail.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './giftLine.statements.server.ts'

type Mailing = Pick<Checkout, 'config' | 'publicUrl' | 'secret'>

const AT_ONCE = 20

export const giftJobs = (checkout: Checkout): Job[] => [
  {
    name: 'send_gifts',
    pool: 'other',
    cron: '* * * * *',
    run: async () => {
      while ((await inTransaction(checkout.db, (tx) => sendDue(tx, checkout))) === AT_ONCE);
    },
  },
  {
    name: 'tell_gift_ended',
    pool: 'other',
    run: ({ giftId = '' }) => inTransaction(checkout.db, (tx) => notifyEnded(tx, checkout, giftId)),
  },
]

async function sendDue(tx: Tx, checkout: Checkout): Promise<number> {
  const due = await lockDueGifts(tx, AT_ONCE)
  for (const gift of due) await mailGift(tx, checkout, gift)
  return due.length
}

export async function mailGift(tx: Tx, { config, publicUrl, secret }: Mailing, gift: GiftRow) {
  const { id, links, toEmail, toName, note } = gift
  if (toEmail === null) return
  const { title, giver } = await readForStranger(tx, id)
  const token = openGiftLinks(secret)(id, links)
  await sendMail(tx, config, {
    key: `gift:${id}:${links}`,
    to: toEmail,
    subject: `${giver} sent you a gift`,
    lines: [
      `${toName ? `Hello ${toName}. ` : ''}${giver} has sent you ${title}. It is paid for.`,
      ...(note ? [`“${note}”`] : []),
      'The link works once, for the first person who claims it. Keep it to yourself.',
    ],
    action: { label: 'Open your gift', url: `${publicUrl}/gift/${createMailSeal(secret).seal(token, toEmail)}` },
  })
  await changeGift(tx, id, { isSent: true })
}

/** Notifies the giver that a gift was claimed, without the recipient's name. */
export async function notifyClaimed(
  tx: Tx,
  checkout: Mailing,
  gift: GiftRow,
  giver: { userId: string; orderId: string },
) {
  const { title } = await readAbout(tx, gift.id)
  await mailMember(tx, checkout, giver.userId, {
    key: `gift_claimed:${gift.id}`,
    subject: `Your gift was claimed`,
    lines: [`“${title}”${gift.toName ? `, which you gave to ${gift.toName},` : ''} has been claimed.`],
    action: { label: 'Open your order', path: `/orders/${giver.orderId}` },
  })
}

/** Mails the recipient of a claimed gift that a refund revoked some or all of its copies. */
async function notifyEnded(tx: Tx, checkout: Mailing, giftId: string) {
  const [gift, line] = [await findGift(tx, giftId), await findClaimedLine(tx, giftId)]
  if (!gift?.claimedBy || !line) return
  const { title, giver, isDisputed } = await readAbout(tx, giftId)
  const left = gift.state === 'claimed' ? gift.quantity : 0
  await mailMember(tx, checkout, gift.claimedBy, {
    key: `gift_ended:${giftId}${left > 0 ? `:${left}` : ''}`,
    subject: `Your gift from ${giver} was taken back`,
    lines: [
      `${left > 0 ? `Copies of “${title}”` : `“${title}”`} can’t be opened any more.${left > 0 ? ` You keep ${left}.` : ''}`,
      whyTakenBack(giver, isDisputed),
    ],
    action: { label: 'Open your order', path: `/orders/${line.orderId}` },
  })
}

/** Returns texts that are safe for strangers: members choose them, and the recipient did not ask for the mail. */
async function readForStranger(tx: Tx, giftId: string) {
  const { title, giver } = await readAbout(tx, giftId)
  return { title: hasRealAddress(title) ? 'a gift' : `“${title}”`, giver: hasRealAddress(giver) ? 'Someone' : giver }
}

const readAbout = async (tx: Tx, giftId: string): Promise<statements.ReadAboutRow> =>
  only(await statements.readAbout(tx, { giftId }))
