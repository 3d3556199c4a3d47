import { type RawBuilder, sql } from 'kysely'
import { proofMissing } from '../kit/contract.ts'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Storage } from '../uploads/storage.server.ts'
import type { SentFile } from '../uploads/sendFile.server.ts'
import { isDisputed, isGoingBack, opensCopyOfLine } from './entitlements.server.ts'
import { recordUse } from './events.server.ts'
import type { Kind } from './kindOfGoods.server.ts'
import type { Stamps } from './stamp/stamps.server.ts'
import type { Use } from './uses.rules.ts'
import { only } from '../kit/values/required.ts'

// The delivery gate. Every route that delivers files, codes, keys, texts or links to goods uses it. src/app/gate.test.ts calls all
// routes to check this.

type Goods = {
  userId: string
  lineId: string
  /** Optional, because the line identifies the goods. */
  orderId?: string
  /** Undefined for a grant: the gate checked the kind when it issued the grant. */
  delivery?: Kind['name']
  isProven: boolean
  /** Null for a link, whose first request records the use, and for notes about goods that the buyer opened before. */
  use: { kind: Use; ip: string } | null
  /** True for a gift, which also opens a line whose buyer reserved all copies for gifts. */
  isForGift?: boolean
}

type GateRow = {
  id: string
  fileId: string | null
  delivery: Kind['name']
  isCash: boolean
  isGoingBack: boolean
  isDisputed: boolean
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
 * Opens the goods of a line for their buyer and records the use. Locks the order against refunds, disputes and gifts until the
 * transaction ends. Returns the id of the entitlement. Throws a Failure: 404 without an entitlement, 409 during a refund or a
 * dispute, 403 without a fresh proof if the goods are as good as cash.
 */
export async function openGoods(tx: Tx, goods: Goods): Promise<string> {
  const { userId, lineId, use } = goods
  await lockPaidOrder(tx, sql`l.id = ${lineId}::uuid`)
  await sql`SELECT FROM orders o JOIN order_lines l ON l.order_id = o.id
    WHERE l.id = ${lineId}::uuid AND o.user_id = ${userId}::uuid FOR SHARE OF o`.execute(tx)
  // a separate statement, so that it reads commits of other transactions that held the locks
  const found = await findGoods(tx, goods)
  if (!found || !isOfKind(found, goods.delivery)) throw new Failure(404, 'Not found')
  if (!goods.isProven && needsProof(found, goods)) throw proofMissing()
  if (found.isGoingBack) throw GOING_BACK
  if (found.isDisputed) throw DISPUTED
  if (use) await recordUse(tx, { entitlementId: found.id, userId, ...use })
  return found.id
}

export async function isOpen(db: Db | Tx, userId: string, lineId: string): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`SELECT ${opensCopyOfLine(userId, lineId)} AS is_open`.execute(db)
  return only(rows).isOpen
}

export type Sources = { storage: Storage; stamps: Stamps }

export const openFile = async (
  file: SentFile & { isStamped: boolean },
  { storage, stamps }: Sources,
  email: string,
): ReturnType<Stamps['of']> => (file.isStamped ? stamps.of(file, email) : { file, from: storage })

/** Locks the order that paid for a line `l` that is a gift, against a refund and a dispute. */
export const lockPaidOrder = (tx: Tx, line: RawBuilder<unknown>) =>
  sql`SELECT FROM order_lines l JOIN gifts g ON g.id = l.gift_id JOIN order_lines b ON b.id = g.order_line_id
    JOIN orders o ON o.id = b.order_id WHERE ${line} FOR SHARE OF o`.execute(tx)

/** A licence key may come with a file. */
const isOfKind = ({ delivery, fileId }: GateRow, wanted: Kind['name'] | undefined): boolean =>
  wanted === undefined || delivery === wanted || (wanted === 'file' && delivery === 'license' && fileId !== null)

/** A gift hands a code or a key to another account, which then opens it with its own proof. */
const needsProof = ({ isCash, delivery }: GateRow, { isForGift = false }: Goods): boolean =>
  isCash || (isForGift && (delivery === 'code' || delivery === 'license'))

const findGoods = (tx: Tx, { userId, orderId, lineId, isForGift = false }: Goods): Promise<GateRow | undefined> =>
  tx
    .selectFrom('entitlements')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .innerJoin('categories', 'categories.id', 'products.categoryId')
    .select(['entitlements.id', 'entitlements.fileId', 'orderLines.delivery', 'categories.isCash'])
    .select([isGoingBack.as('isGoingBack'), isDisputed.as('isDisputed')])
    .where('orderLines.id', '=', lineId)
    .$call((query) => (orderId !== undefined ? query.where('orders.id', '=', orderId) : query))
    .where('orders.userId', '=', userId)
    .where('orders.status', '=', 'completed')
    .where((row) =>
      row.or([
        row('entitlements.revokedAt', 'is', null),
        ...(isForGift ? [row('entitlements.givenAt', 'is not', null)] : []),
      ]),
    )
    .forShare('entitlements')
    .executeTakeFirst()
