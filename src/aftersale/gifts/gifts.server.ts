import { ownsProduct, setGiven } from '../../delivery/entitlements.server.ts'
import {
  giveCopies,
  keepCopy,
  listGifts,
  lookAtGift,
  claimGift,
  type Gift,
  type GiftsOfLine,
  MAX_GIFTS,
  MAX_MAILS,
  renewGift,
  takeGiftBack,
} from '../../delivery/gifts/gifts.contract.ts'
import { hasRealAddress } from '../../delivery/gifts/addresses.server.ts'
import {
  changeGift,
  countMails,
  findClaimedLine,
  findGift,
  findGiftOf,
  type GiftRow,
  giftsOfLine,
  hashGiftToken,
  insertGift,
  lockGift,
  openGiftLinks,
  readCopies,
} from '../../delivery/gifts/gifts.store.server.ts'
import { handGiftOver, isOneEnough, putGiftBack, readGivable, setGiftAside } from '../../delivery/kinds.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { findOrder, findPlaced, linesOf, lockOrder, type OrderLineRow } from '../../orders/orders.store.server.ts'
import { insertGiftOrder } from '../../orders/giftOrder.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { readShownGift } from '../../delivery/gifts/shownGift.store.server.ts'
import {
  ADDRESS,
  BAD_KEY,
  CLAIMED,
  HAVE_IT,
  IN_USE,
  KEY_REUSED,
  NONE_LEFT,
  NOT_GIFTABLE,
  OPENED,
  OVER,
  OWN,
  TOO_LATE,
  TOO_MANY,
  TOO_MANY_MAILS,
  UNKNOWN,
} from './gift.failures.ts'
import { mailGift, notifyClaimed } from './gift.mail.server.ts'
import { type Bought, demandOpen, isClosed, openToGive } from './openLine.server.ts'
import { required } from '../../kit/values/required.ts'

const YEAR_MS = 366 * 86_400_000

const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const looks: Limit[] = [{ per: 'address', count: 60, seconds: 60 }]
// each may be a mail to a stranger
const gives: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]
const claims: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]

type LineOf = { id: string; lineId: string }

export function giftRoutes(checkout: Checkout): Route[] {
  const { db, publicUrl, secret } = checkout
  const tokenOf = openGiftLinks(secret)
  const linkOf = ({ id, links }: Pick<GiftRow, 'id' | 'links'>) => `${publicUrl}/gift/${tokenOf(id, links)}`

  /** The answer to a repeated press. */
  const repeat = (
    known: GiftRow,
    wanted: Pick<GiftRow, 'quantity' | 'toName' | 'toEmail' | 'note'>,
    sendAt: Date | null,
  ) => {
    const { quantity, toName, toEmail, note } = known
    const isSame = JSON.stringify([quantity, toName, toEmail, note]) === JSON.stringify(Object.values(wanted))
    // a gift that is not mailed has no day
    const isSameDay = sendAt === null || toEmail === null || sendAt.getTime() === known.sendAt?.getTime()
    if (!isSame || !isSameDay) throw KEY_REUSED
    return { gift: show(known), link: linkOf(known) }
  }

  const changeOwn = <T>(userId: string, giftId: string, act: (tx: Tx, gift: GiftRow, bought: Bought) => Promise<T>) =>
    inTransaction(db, async (tx) => {
      const found = await findGift(tx, giftId)
      const orderId = found && (await orderOf(tx, found.orderLineId))
      const bought = orderId && (await lockOwn(tx, userId, { id: orderId, lineId: found.orderLineId }))
      if (!bought) throw UNKNOWN
      return act(tx, await lockGift(tx, giftId), bought)
    })

  return [
    handle(listGifts, { limits: reads }, async ({ id, lineId }, { user }) => {
      const order = await findOrder(db, id)
      const line = order?.userId === user.id && (await linesOf(db, id)).find((one) => one.id === lineId)
      if (!order || !line || order.status !== 'completed') throw UNKNOWN
      return describe(db, { order, line })
    }),

    handle(giveCopies, { limits: gives }, async (asked, { user, header, isProven: askProven }) => {
      if (hasRealAddress(asked.toName ?? '') || hasRealAddress(asked.note ?? '')) throw ADDRESS
      const isProven = await askProven()
      return inTransaction(db, async (tx) => {
        const giveKey = header('idempotency-key') ?? null
        if (giveKey !== null && (giveKey.length < 1 || giveKey.length > 255)) throw BAD_KEY
        const bought = await lockOwn(tx, user.id, asked)
        if (!bought) throw UNKNOWN
        await openToGive(tx, bought, isProven)
        const { quantity, toName = '', toEmail = null, note = '' } = asked
        const wanted = { quantity, toName, toEmail, note }
        const known =
          giveKey !== null && (await giftsOfLine(tx, bought.line.id)).find((gift) => gift.giveKey === giveKey)
        const sendAt = asked.sendAt === undefined ? null : new Date(asked.sendAt)
        if (known) return repeat(known, wanted, sendAt)
        if (sendAt && sendAt.getTime() > Date.now() + YEAR_MS) throw TOO_LATE
        await demandGivable(tx, bought, quantity)
        const id = crypto.randomUUID()
        const at = sendAt ?? new Date()
        if (toEmail !== null && (await countMails(tx, user.id, toEmail, at)) >= MAX_MAILS) throw TOO_MANY_MAILS
        const made = await insertGift(tx, {
          ...{ id, orderLineId: bought.line.id, ...wanted, giveKey },
          sendAt: toEmail === null ? null : at,
          tokenHash: hashGiftToken(tokenOf(id, 1)),
        })
        if (!(await setGiftAside(tx, { ...bought.line, quantity }, id)))
          throw bought.line.delivery === 'license' ? IN_USE : NONE_LEFT
        const isDue = toEmail !== null && (sendAt === null || sendAt.getTime() <= Date.now())
        if (isDue) await mailGift(tx, checkout, made)
        return { gift: show(isDue ? await lockGift(tx, id) : made), link: linkOf(made) }
      })
    }),

    handle(keepCopy, { limits: gives }, ({ id, lineId }, { user }) =>
      inTransaction(db, async (tx) => {
        const bought = await lockOwn(tx, user.id, { id, lineId })
        if (!bought) throw UNKNOWN
        await demandOpen(tx, bought)
        if (!(await canKeep(tx, bought))) throw NONE_LEFT
        await setGiven(tx, lineId, false)
        return describe(tx, bought)
      }),
    ),

    handle(renewGift, { limits: gives }, ({ id }, { user }) =>
      changeOwn(user.id, id, async (tx, gift, bought) => {
        demandWaiting(gift)
        await openToGive(tx, bought, true)
        const { toEmail } = gift
        const isMailed = gift.sentAt !== null && toEmail !== null
        if (isMailed && (await countMails(tx, user.id, toEmail, new Date())) >= MAX_MAILS) throw TOO_MANY_MAILS
        const links = gift.links + 1
        const renewed = await changeGift(tx, id, { links, tokenHash: hashGiftToken(tokenOf(id, links)) })
        if (isMailed) await mailGift(tx, checkout, renewed)
        return { gift: show(renewed), link: linkOf(renewed) }
      }),
    ),

    handle(takeGiftBack, { limits: gives }, ({ id }, { user }) =>
      changeOwn(user.id, id, async (tx, gift, { line }) => {
        if (gift.state === 'taken_back') return show(gift)
        demandWaiting(gift)
        const taken = await changeGift(tx, id, { state: 'taken_back' })
        await putGiftBack(tx, { ...line, quantity: gift.quantity }, id, user.id)
        return show(taken)
      }),
    ),

    handlePublic(lookAtGift, { limits: looks }, async ({ token }, { user, pool }) => {
      const shown = await readShownGift(pool, token, user?.id ?? null)
      if (!shown) throw UNKNOWN
      return shown
    }),

    handle(claimGift, { limits: claims }, ({ token }, { user }) =>
      inTransaction(db, (tx) => claim(tx, checkout, user.id, token)),
    ),
  ]
}

/** Makes the member the owner, once. Locks the giver's order, as refunds and disputes do, and then the gift. */
async function claim(tx: Tx, checkout: Checkout, userId: string, token: string): Promise<{ orderId: string }> {
  const found = await findGiftOf(tx, token)
  const paidId = found && (await orderOf(tx, found.orderLineId))
  if (!paidId) throw UNKNOWN
  const key = `gift:${found.id}`
  // one after another for a member, so that two gifts of the same file do not both pass
  await findPlaced(tx, userId, key)
  const order = required(await lockOrder(tx, paidId), 'the order')
  const gift = await lockGift(tx, found.id)
  // a new link ended this one meanwhile
  if (gift.tokenHash !== found.tokenHash) throw UNKNOWN
  if (gift.state === 'claimed') {
    if (gift.claimedBy !== userId) throw CLAIMED
    return { orderId: required(await findClaimedLine(tx, gift.id), 'the line of the claimed gift').orderId }
  }
  if (gift.state !== 'open') throw OVER
  if (order.userId === userId) throw OWN
  const line = required(
    (await linesOf(tx, order.id)).find(({ id }) => id === gift.orderLineId),
    'the line',
  )
  await demandOpen(tx, { order, line })
  if (isOneEnough(line) && (await ownsProduct(tx, userId, line.productId, null))) throw HAVE_IT
  const { id: _, orderId: __, position: ___, ...bought } = line
  const own = await insertGiftOrder(tx, {
    userId,
    key,
    line: {
      ...{ ...bought, quantity: gift.quantity, priceCents: 0, discountCents: 0, giftId: gift.id },
      ...{ bundleId: null, bundleTitle: null },
    },
  })
  await handGiftOver(tx, own, { giftId: gift.id, userId, secret: checkout.secret })
  const claimed = await changeGift(tx, gift.id, { state: 'claimed', claimedBy: userId, isClaimed: true })
  await notifyClaimed(tx, checkout, claimed, { userId: order.userId, orderId: order.id })
  return { orderId: own.orderId }
}

const orderOf = async (tx: Tx, lineId: string): Promise<string | undefined> =>
  (await tx.selectFrom('orderLines').select('orderId').where('id', '=', lineId).executeTakeFirst())?.orderId

/** A line of the member's completed order, with the order locked. */
async function lockOwn(tx: Tx, userId: string, { id, lineId }: LineOf): Promise<Bought | undefined> {
  const order = await lockOrder(tx, id)
  if (order?.userId !== userId || order.status !== 'completed') return undefined
  const line = (await linesOf(tx, id)).find((one) => one.id === lineId)
  return line && { order, line }
}

/** A gift that was claimed is not given on, and what cost nothing everyone can get. */
const isGiftable = ({ giftId, priceCents, quantity, discountCents }: OrderLineRow) =>
  giftId === null && priceCents * quantity > discountCents

async function demandGivable(tx: Tx, bought: Bought, wanted: number) {
  if (!isGiftable(bought.line)) throw NOT_GIFTABLE
  const { most, isOpened } = await readGivable(tx, bought.line)
  if (wanted > most) throw isOpened ? OPENED : NONE_LEFT
  if ((await giftsOfLine(tx, bought.line.id)).length >= MAX_GIFTS) throw TOO_MANY
}

function demandWaiting({ state }: GiftRow) {
  if (state === 'claimed') throw CLAIMED
  if (state !== 'open') throw OVER
}

/** The buyer keeps nothing of the line, and there is a copy left that no other line gives. */
async function canKeep(db: Db | Tx, { order, line }: Bought): Promise<boolean> {
  const { quantity, given, isGiven } = await readCopies(db, line.id)
  if (!isGiven || given >= quantity) return false
  return !(isOneEnough(line) && (await ownsProduct(db, order.userId, line.productId, line.id)))
}

async function describe(db: Db | Tx, bought: Bought): Promise<GiftsOfLine> {
  const { line } = bought
  const gifts = (await giftsOfLine(db, line.id)).map(show)
  const isShut = await isClosed(db, line.id)
  const { most, isOpened } = isGiftable(line) ? await readGivable(db, line) : { most: 0, isOpened: false }
  const isFull = gifts.length >= MAX_GIFTS
  return {
    most: isShut || isFull ? 0 : most,
    whyNot: isShut ? 'closed' : most > 0 && !isFull ? null : isOpened ? 'opened' : 'none',
    canKeep: !isShut && (await canKeep(db, bought)),
    gifts,
  }
}

const show = ({ id, quantity, state, toName, toEmail, note, ...gift }: GiftRow): Gift => ({
  ...{ id, quantity, state, toName, toEmail, note },
  sendAt: gift.sendAt?.toISOString() ?? null,
  sentAt: gift.sentAt?.toISOString() ?? null,
  claimedAt: gift.claimedAt?.toISOString() ?? null,
  madeAt: gift.createdAt.toISOString(),
})
