import type { Db, Tx } from '../kit/database.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { codes } from './codes/codes.kind.server.ts'
import { courses } from './courses/courses.kind.server.ts'
import { entitle, ownsProduct, revokeEntitlements, setGiven } from './entitlements.server.ts'
import { files } from './files/files.kind.server.ts'
import { changeGift, findClaimedLine, lockGiftsToEnd, readCopies } from './gifts/gifts.store.server.ts'
import type { Kind, KindLine } from './kindOfGoods.server.ts'
import { licenses } from './licenses/licenses.kind.server.ts'
import { required } from '../kit/values/required.ts'

// The only list of the kinds of goods. Checkout, orders and refunds call these functions, independent of the kind.

const KINDS: Kind[] = [files, codes, licenses, courses]

type Line = KindLine & { delivery: Kind['name']; fileId: string | null }
type TitledLine = Line & { title: string }

/** Reserves the goods of a payment. Returns false if too few are left; the caller then rolls back. */
export async function reserveGoods(tx: Tx, paymentId: string, lines: Line[]): Promise<boolean> {
  for (const { kind, own } of byKind(lines)) if (kind.reserve && !(await kind.reserve(tx, paymentId, own))) return false
  return true
}

export async function releaseGoods(tx: Tx, paymentId: string) {
  for (const kind of KINDS) await kind.release?.(tx, paymentId)
}

/** Delivers the reserved goods of a payment in the transaction that completes the order. */
export async function deliverGoods(
  tx: Tx,
  { userId, paymentId, secret }: { userId: string; paymentId: string | null; secret: string },
  lines: Line[],
) {
  await entitle(
    tx,
    userId,
    lines.map((line) => ({ ...line, isOneEnough: isOneEnough(line) })),
  )
  for (const { kind, own } of byKind(lines)) await kind.deliver?.(tx, paymentId, own, secret)
}

export const isOneEnough = ({ delivery }: Pick<Line, 'delivery'>) => kindOf(delivery).give === undefined

export type ReturnedGift = { title: string; toName: string; copies: number }

/** `keepsOpened`: the buyer retains the opened copy. */
type Returning = { keepsOpened: boolean }

/** Revokes single copies in the transaction that books their refund. Returns the gifts revoked from recipients. */
export async function takeBackGoods(tx: Tx, lines: TitledLine[], how: Returning): Promise<ReturnedGift[]> {
  const ended: ReturnedGift[] = []
  for (const { kind, own } of byKind(lines)) {
    const left: Line[] = []
    for (const line of own) {
      const gifts = await takeFromGifts(tx, kind, line, { ...how, isWhole: false })
      ended.push(...gifts)
      left.push({ ...line, quantity: line.quantity - copiesOf(gifts) })
      await settleGiven(tx, line)
    }
    await kind.takeBack?.(
      tx,
      left.filter(({ quantity }) => quantity > 0),
    )
  }
  return ended
}

const copiesOf = (gifts: ReturnedGift[]) => gifts.reduce((sum, { copies }) => sum + copies, 0)

/** Revokes whole lines with their gifts and remaining copies. */
export async function endGoods(tx: Tx, lines: TitledLine[]): Promise<ReturnedGift[]> {
  const ended: ReturnedGift[] = []
  await revokeEntitlements(
    tx,
    lines.map(({ id }) => id),
  )
  for (const { kind, own } of byKind(lines)) {
    for (const line of own) ended.push(...(await takeFromGifts(tx, kind, line, { keepsOpened: false, isWhole: true })))
    await kind.takeBack?.(tx, own)
  }
  return ended
}

/**
 * Ends gifts of a line if refunded copies exceed the buyer's own: waiting gifts first, then claimed ones. Returns the
 * gifts revoked from recipients; the other copies return to the line.
 */
async function takeFromGifts(
  tx: Tx,
  kind: Kind,
  line: TitledLine,
  { keepsOpened, isWhole }: Returning & { isWhole: boolean },
): Promise<ReturnedGift[]> {
  const { quantity, given, isUsed, isGiven } = await readCopies(tx, line.id)
  if (given === 0) return []
  const gifts = await lockGiftsToEnd(tx, line.id)
  const bad = gifts.reduce((sum, gift) => sum + gift.bad, 0)
  const kept = keepsOpened && isOneEnough(line) && isUsed && !isGiven ? 1 : 0
  let missing = isWhole ? given : Math.max(given + kept - quantity, Math.min(bad, line.quantity))
  const returned: ReturnedGift[] = []
  for (const gift of gifts) {
    if (missing <= 0) break
    const copies = Math.min(missing, gift.quantity)
    missing -= copies
    if (gift.state === 'open') {
      await kind.give?.putBack(tx, { ...line, quantity: gift.quantity }, gift.id)
      await changeGift(tx, gift.id, { state: 'ended' })
      continue
    }
    const claimed = required(await findClaimedLine(tx, gift.id), 'the line of the claimed gift')
    const isOver = copies === gift.quantity
    if (isOver) await revokeEntitlements(tx, [claimed.id])
    await kind.takeBack?.(tx, [{ ...claimed, quantity: copies }])
    await changeGift(tx, gift.id, isOver ? { state: 'ended' } : { quantity: gift.quantity - copies })
    await addJob(tx, 'tell_gift_ended', { giftId: gift.id })
    returned.push({ title: line.title, toName: gift.toName, copies })
  }
  return returned
}

export async function setGiftAside(tx: Tx, line: Line, giftId: string): Promise<boolean> {
  const { give } = kindOf(line.delivery)
  if (give && !(await give.setAside(tx, line, giftId))) return false
  await settleGiven(tx, line)
  return true
}

/** Returns the reserved copies of an ended gift to the buyer. */
export async function putGiftBack(tx: Tx, line: Line, giftId: string, userId: string) {
  await kindOf(line.delivery).give?.putBack(tx, line, giftId)
  if (isOneEnough(line) && (await ownsProduct(tx, userId, line.productId, line.id))) return
  await setGiven(tx, line.id, false)
}

export async function handGiftOver(
  tx: Tx,
  to: Line,
  { giftId, userId, secret }: { giftId: string; userId: string; secret: string },
) {
  await entitle(tx, userId, [{ ...to, isOneEnough: false }])
  await kindOf(to.delivery).give?.handOver(tx, to, giftId, secret)
}

async function settleGiven(tx: Tx, { id }: Line) {
  const { quantity, given } = await readCopies(tx, id)
  if (given > 0 && given >= quantity) await setGiven(tx, id, true)
}

export async function readGivable(db: Db | Tx, { id, delivery }: Pick<Line, 'id' | 'delivery'>) {
  const { quantity, given, isUsed, isGiven } = await readCopies(db, id)
  const { give } = kindOf(delivery)
  const left = quantity - given
  if (give) return isUsed && give.isSpoiltByUse ? { most: 0, isOpened: true } : { most: left, isOpened: false }
  // the buyer retains the opened copy
  const own = isUsed && !isGiven ? 1 : 0
  return { most: Math.max(0, left - own), isOpened: own > 0 }
}

const kindOf = (name: Kind['name']) => KINDS.find((kind) => kind.name === name)!

const byKind = <L extends Line>(lines: L[]) =>
  KINDS.map((kind) => ({ kind, own: lines.filter(({ delivery }) => delivery === kind.name) })).filter(
    ({ own }) => own.length > 0,
  )
