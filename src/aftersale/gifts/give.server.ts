import type { Checkout } from '../../checkout/context.server.ts'
import { type giveCopies, MAX_GIFTS, MAX_MAILS } from '../../delivery/gifts/gifts.contract.ts'
import {
  countMails,
  type GiftRow,
  giftsOfLine,
  hashGiftToken,
  insertGift,
  lockGift,
} from '../../delivery/gifts/gifts.store.server.ts'
import { readGivable, setGiftAside } from '../../delivery/kinds.server.ts'
import type { Input } from '../../kit/contract.ts'
import type { Tx } from '../../kit/database.server.ts'
import type { OrderLineRow } from '../../orders/orders.store.server.ts'
import {
  BAD_KEY,
  IN_USE,
  KEY_REUSED,
  NONE_LEFT,
  NOT_GIFTABLE,
  OPENED,
  TOO_LATE,
  TOO_MANY,
  TOO_MANY_MAILS,
  UNKNOWN,
} from './gift.failures.ts'
import { mailGift } from './gift.mail.server.ts'
import { openLinks, showGift } from './giftView.server.ts'
import { type Bought, lockOwn, openToGive } from './openLine.server.ts'

const YEAR_MS = 366 * 86_400_000

type GiveInput = {
  userId: string
  asked: Input<typeof giveCopies>
  giveKey: string | null
  isProven: boolean
}

/** Creates a gift of copies of a line. A repeat with the same key returns the first gift. */
export async function give(tx: Tx, checkout: Checkout, { userId, asked, giveKey, isProven }: GiveInput) {
  if (giveKey !== null && (giveKey.length < 1 || giveKey.length > 255)) throw BAD_KEY
  const { tokenOf, linkOf } = openLinks(checkout)
  const bought = await lockOwn(tx, userId, asked)
  if (!bought) throw UNKNOWN
  await openToGive(tx, bought, isProven)
  const { quantity, toName = '', toEmail = null, note = '' } = asked
  const wanted = { quantity, toName, toEmail, note }
  const known = giveKey !== null && (await giftsOfLine(tx, bought.line.id)).find((gift) => gift.giveKey === giveKey)
  const sendAt = asked.sendAt === undefined ? null : new Date(asked.sendAt)
  if (known) {
    if (!isRepeat(known, wanted, sendAt)) throw KEY_REUSED
    return { gift: showGift(known), link: linkOf(known) }
  }
  if (sendAt && sendAt.getTime() > Date.now() + YEAR_MS) throw TOO_LATE
  await demandGivable(tx, bought, quantity)
  const id = crypto.randomUUID()
  const at = sendAt ?? new Date()
  if (toEmail !== null && (await countMails(tx, userId, toEmail, at)) >= MAX_MAILS) throw TOO_MANY_MAILS
  const made = await insertGift(tx, {
    ...{ id, orderLineId: bought.line.id, ...wanted, giveKey },
    sendAt: toEmail === null ? null : at,
    tokenHash: hashGiftToken(tokenOf(id, 1)),
  })
  if (!(await setGiftAside(tx, { ...bought.line, quantity }, id)))
    throw bought.line.delivery === 'license' ? IN_USE : NONE_LEFT
  const isDue = toEmail !== null && (sendAt === null || sendAt.getTime() <= Date.now())
  if (isDue) await mailGift(tx, checkout, made)
  return { gift: showGift(isDue ? await lockGift(tx, id) : made), link: linkOf(made) }
}

function isRepeat(
  known: GiftRow,
  wanted: Pick<GiftRow, 'quantity' | 'toName' | 'toEmail' | 'note'>,
  sendAt: Date | null,
) {
  const { quantity, toName, toEmail, note } = known
  const isSame = JSON.stringify([quantity, toName, toEmail, note]) === JSON.stringify(Object.values(wanted))
  // a gift that is not mailed has no date
  return isSame && (sendAt === null || toEmail === null || sendAt.getTime() === known.sendAt?.getTime())
}

/** Excludes claimed gifts, and free lines, which everyone can get. */
export const isGiftable = ({ giftId, priceCents, quantity, discountCents }: OrderLineRow) =>
  giftId === null && priceCents * quantity > discountCents

async function demandGivable(tx: Tx, bought: Bought, wanted: number) {
  if (!isGiftable(bought.line)) throw NOT_GIFTABLE
  const { most, isOpened } = await readGivable(tx, bought.line)
  if (wanted > most) throw isOpened ? OPENED : NONE_LEFT
  if ((await giftsOfLine(tx, bought.line.id)).length >= MAX_GIFTS) throw TOO_MANY
}
