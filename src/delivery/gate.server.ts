import { proofMissing } from '../kit/contract.ts'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Storage } from '../uploads/storage.server.ts'
import type { SentFile } from '../uploads/sendFile.server.ts'
import { opensLine } from './entitlements.statements.server.ts'
import { recordUse } from './events.server.ts'
import { findGoods, type FindGoodsRow, lockGiftOrder, lockOwnOrder } from './gate.statements.server.ts'
import type { Kind } from './kindOfGoods.server.ts'
import type { Stamps } from './stamp/stamps.server.ts'
import type { Use } from './uses.rules.ts'
import { only } from '../kit/values/required.ts'

// The delivery gate. Every route that delivers bought files, codes, keys, texts or links to goods uses it.
// src/app/gate.test.ts calls all routes to check this. Sellers read their own courses without the gate: courses/own/.

type Goods = {
  userId: string
  lineId: string
  /** Optional, because the line identifies the goods. */
  orderId?: string
  /** Undefined for a grant: the gate checked the kind when it issued the grant. */
  delivery?: Kind['name']
  isProven: boolean
  /** Null for a link, because its first request records the use, and for notes about goods opened before. */
  use: { kind: Use; ip: string } | null
  /** True for a gift, which also opens a line whose copies are all reserved for gifts. */
  isForGift?: boolean
}

const GOING_BACK = new Failure(
  409,
  'A refund of this order is on its way, so it can’t be opened now. If the refund isn’t made, it opens again.',
  'refund_under_way',
)
const DISPUTED = new Failure(
  409,
  'The payment of this order is disputed, so it can’t be opened now. It opens again if the dispute is decided for the store.',
  'disputed',
)

/**
 * Opens the goods of a line for their buyer and records the use. Locks the order against refunds, disputes and gifts
 * until the transaction ends. Returns the id of the entitlement. Throws a Failure: 404 without an entitlement, 409
 * during a refund or a dispute, 403 without a fresh proof for cash-like goods.
 */
export async function openGoods(tx: Tx, goods: Goods): Promise<string> {
  const { userId, orderId = null, lineId, isForGift = false, use } = goods
  await lockGiftOrder(tx, { lineId })
  await lockOwnOrder(tx, { lineId, userId })
  // a separate statement, so that it reads commits of transactions that held the locks
  const [found] = await findGoods(tx, { userId, orderId, lineId, isForGift })
  if (!found || !isOfKind(found, goods.delivery)) throw new Failure(404, 'Not found')
  if (!goods.isProven && needsProof(found, goods)) throw proofMissing()
  if (found.isGoingBack) throw GOING_BACK
  if (found.isDisputed) throw DISPUTED
  if (use) await recordUse(tx, { entitlementId: found.id, userId, ...use })
  return found.id
}

export async function isOpen(db: Db | Tx, userId: string, lineId: string): Promise<boolean> {
  return only(await opensLine(db, { userId, lineId })).isOpen
}

export type Sources = { storage: Storage; stamps: Stamps }

export const openFile = async (
  file: SentFile & { isStamped: boolean },
  { storage, stamps }: Sources,
  email: string,
): ReturnType<Stamps['of']> => (file.isStamped ? stamps.of(file, email) : { file, from: storage })

/** A licence key may include a file. */
const isOfKind = ({ delivery, fileId }: FindGoodsRow, wanted: Kind['name'] | undefined): boolean =>
  wanted === undefined || delivery === wanted || (wanted === 'file' && delivery === 'license' && fileId !== null)

/** A gift moves a code or a key to another account, which can open it with its own proof. */
const needsProof = ({ isCash, delivery }: FindGoodsRow, { isForGift = false }: Goods): boolean =>
  isCash || (isForGift && (delivery === 'code' || delivery === 'license'))
