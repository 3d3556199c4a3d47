import { ownsProduct, setGiven } from '../../delivery/entitlements.server.ts'
import {
  giveCopies,
  keepCopy,
  listGifts,
  lookAtGift,
  claimGift,
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
  lockGift,
  readCopies,
} from '../../delivery/gifts/gifts.store.server.ts'
import { handGiftOver, isOneEnough, putGiftBack, readGivable } from '../../delivery/kinds.server.ts'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { handle, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { findOrder, findPlaced, linesOf, lockOrder } from '../../orders/orders.store.server.ts'
import { insertGiftOrder } from '../../orders/giftOrder.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { readShownGift } from '../../delivery/gifts/shownGift.store.server.ts'
import { ADDRESS, CLAIMED, HAVE_IT, NONE_LEFT, OVER, OWN, TOO_MANY_MAILS, UNKNOWN } from './gift.failures.ts'
import { mailGift, notifyClaimed } from './gift.mail.server.ts'
import { give, isGiftable } from './give.server.ts'
import { openLinks, showGift } from './giftView.server.ts'
import { type Bought, demandOpen, isClosed, lockOwn, openToGive } from './openLine.server.ts'
import { required } from '../../kit/values/required.ts'

const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const looks: Limit[] = [{ per: 'address', count: 60, seconds: 60 }]
// each gift may mail a stranger
const gives: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]
const claims: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]

export function giftRoutes(checkout: Checkout): Route[] {
  const { db } = checkout
  const { tokenOf, linkOf } = openLinks(checkout)

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
      const giveKey = header('idempotency-key') ?? null
      return inTransaction(db, (tx) => give(tx, checkout, { userId: user.id, asked, giveKey, isProven }))
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
        return { gift: showGift(renewed), link: linkOf(renewed) }
      }),
    ),

    handle(takeGiftBack, { limits: gives }, ({ id }, { user }) =>
      changeOwn(user.id, id, async (tx, gift, { line }) => {
        if (gift.state === 'taken_back') return showGift(gift)
        demandWaiting(gift)
        const taken = await changeGift(tx, id, { state: 'taken_back' })
        await putGiftBack(tx, { ...line, quantity: gift.quantity }, id, user.id)
        return showGift(taken)
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

/** Makes the member the owner, once. Locks the giver's order before the gift, as refunds and disputes do. */
async function claim(tx: Tx, checkout: Checkout, userId: string, token: string): Promise<{ orderId: string }> {
  const found = await findGiftOf(tx, token)
  const paidId = found && (await orderOf(tx, found.orderLineId))
  if (!paidId) throw UNKNOWN
  const key = `gift:${found.id}`
  // serialises a member's claims, so that two gifts of the same file are not both claimed
  await findPlaced(tx, userId, key)
  const order = required(await lockOrder(tx, paidId), 'the order')
  const gift = await lockGift(tx, found.id)
  // the giver replaced the link meanwhile
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

function demandWaiting({ state }: GiftRow) {
  if (state === 'claimed') throw CLAIMED
  if (state !== 'open') throw OVER
}

/** True if the buyer has no copy of the product yet, and the line has a copy that is not given away. */
async function canKeep(db: Db | Tx, { order, line }: Bought): Promise<boolean> {
  const { quantity, given, isGiven } = await readCopies(db, line.id)
  if (!isGiven || given >= quantity) return false
  return !(isOneEnough(line) && (await ownsProduct(db, order.userId, line.productId, line.id)))
}

async function describe(db: Db | Tx, bought: Bought): Promise<GiftsOfLine> {
  const { line } = bought
  const gifts = (await giftsOfLine(db, line.id)).map(showGift)
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
