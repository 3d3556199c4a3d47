import { createHash, createHmac } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { deriveKey } from '../../kit/seal.server.ts'
import type { GiftsTable } from '../../kit/tables.ts'
import { only } from '../../kit/values/required.ts'

// Gifts by the link that claims them. The table has a hash of the link only.

export type GiftRow = Selectable<GiftsTable>

/** A link follows from the shop's secret, so the job that mails it on its day can write it again. */
export function openGiftLinks(secret: string) {
  const key = deriveKey(secret, 'primo gift links v1')
  return (giftId: string, links: number) =>
    createHmac('sha256', key).update(`${giftId} ${links}`).digest('base64url').slice(0, 32)
}

export const hashGiftToken = (token: string) => createHash('sha256').update(`gift ${token}`).digest('base64url')

export type NewGift = Pick<
  GiftRow,
  'id' | 'orderLineId' | 'quantity' | 'toName' | 'toEmail' | 'note' | 'tokenHash' | 'giveKey'
>

export const insertGift = (tx: Tx, gift: NewGift & { sendAt: Date | null }): Promise<GiftRow> =>
  tx.insertInto('gifts').values(gift).returningAll().executeTakeFirstOrThrow()

export const findGift = (db: Db | Tx, id: string): Promise<GiftRow | undefined> =>
  db.selectFrom('gifts').selectAll().where('id', '=', id).executeTakeFirst()

export const findGiftOf = (db: Db | Tx, token: string): Promise<GiftRow | undefined> =>
  db.selectFrom('gifts').selectAll().where('tokenHash', '=', hashGiftToken(token)).executeTakeFirst()

/** The order of its line is locked before. */
export const lockGift = (tx: Tx, id: string): Promise<GiftRow> =>
  tx.selectFrom('gifts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const giftsOfLine = (db: Db | Tx, orderLineId: string): Promise<GiftRow[]> =>
  db.selectFrom('gifts').selectAll().where('orderLineId', '=', orderLineId).orderBy('createdAt', 'desc').execute()

/** The order in which a refund ends gifts: a code that its case returns first, then those that wait, the newest first. */
export async function lockGiftsToEnd(tx: Tx, orderLineId: string): Promise<(GiftRow & { bad: number })[]> {
  const { rows } = await sql<GiftRow & { bad: number }>`
    SELECT g.*, b.bad FROM gifts g CROSS JOIN LATERAL (SELECT count(*)::int AS bad FROM order_lines m
      JOIN codes c ON c.order_line_id = m.id AND c.state = 'sold'
      JOIN code_cases k ON k.code_id = c.id AND k.state IN ('refunding', 'refunded') WHERE m.gift_id = g.id) b
    WHERE g.order_line_id = ${orderLineId}::uuid AND g.state IN ('open', 'claimed')
    ORDER BY b.bad DESC, g.claimed_at DESC NULLS FIRST, g.created_at DESC FOR UPDATE OF g`.execute(tx)
  return rows
}

/** Mails of the giver's gifts to an address within a day of `at`, sent or planned. Each new link was a mail. */
export async function countMails(tx: Tx, giverId: string, address: string, at: Date): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    SELECT coalesce(sum(g.links), 0)::int AS mails FROM gifts g JOIN order_lines l ON l.id = g.order_line_id
    JOIN orders o ON o.id = l.order_id
    WHERE mailbox_of(g.to_email) = mailbox_of(${address}) AND o.user_id = ${giverId}::uuid
      AND (g.sent_at IS NOT NULL OR g.state = 'open')
      AND coalesce(g.sent_at, g.send_at) BETWEEN ${at}::timestamptz - interval '1 day' AND ${at}::timestamptz + interval '1 day'`.execute(
    tx,
  )
  return only(rows).mails
}

type Change = Partial<Pick<GiftRow, 'state' | 'links' | 'tokenHash' | 'claimedBy' | 'quantity'>>

export const changeGift = (
  tx: Tx,
  id: string,
  change: Change & { isClaimed?: true; sentAt?: Date | null; isSent?: true },
): Promise<GiftRow> => {
  const { isClaimed, isSent, ...set } = change
  return tx
    .updateTable('gifts')
    .set({ ...set, ...(isClaimed && { claimedAt: now }), ...(isSent && { sentAt: now }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const lockDueGifts = (tx: Tx, limit: number): Promise<GiftRow[]> =>
  tx
    .selectFrom('gifts')
    .selectAll()
    .where('state', '=', 'open')
    .where('sentAt', 'is', null)
    .where('sendAt', '<=', now)
    .orderBy('sendAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

/** Copies of a line that are given away, and not taken back or returned. */
export const GIVEN = (line: string) =>
  `(SELECT coalesce(sum(x.quantity), 0)::int FROM gifts x WHERE x.order_line_id = ${line}.id AND x.state IN ('open', 'claimed'))`

export type LineCopies = { quantity: number; given: number; isUsed: boolean; isGiven: boolean; codesLeft: number }

/** What its buyer holds of a line: `quantity` without refunds. `isUsed`: the buyer downloaded, read or revealed it. */
export async function readCopies(tx: Db | Tx, orderLineId: string): Promise<LineCopies> {
  const { rows } = await sql<LineCopies>`
    SELECT l.quantity - coalesce(s.returned_quantity, 0) AS quantity, ${sql.raw(GIVEN('l'))} AS given,
      e.given_at IS NOT NULL AS "isGiven",
      EXISTS (SELECT FROM delivery_events v WHERE v.entitlement_id = e.id AND v.kind IN ('download', 'read', 'reveal'))
        OR EXISTS (SELECT FROM download_grants g WHERE g.entitlement_id = e.id AND g.started_at IS NOT NULL) AS "isUsed",
      (SELECT count(*)::int FROM codes c WHERE c.order_line_id = l.id AND c.state = 'sold' AND c.gift_id IS NULL) AS "codesLeft"
    FROM order_lines l LEFT JOIN earnings s ON s.order_line_id = l.id LEFT JOIN entitlements e ON e.order_line_id = l.id
    WHERE l.id = ${orderLineId}::uuid`.execute(tx)
  return only(rows)
}

export const findClaimedLine = (db: Db | Tx, giftId: string) =>
  db.selectFrom('orderLines').select(['id', 'orderId', 'productId']).where('giftId', '=', giftId).executeTakeFirst()

/**
 * Clears names, addresses and notes of the gifts that an erased member made or claimed. A mail that was to be sent is not sent;
 * links go on to work, and whoever claimed a gift keeps it.
 */
export async function forgetGiftsOf(tx: Tx, userId: string) {
  const theirs = sql<boolean>`(claimed_by = ${userId}::uuid OR order_line_id IN (SELECT l.id FROM order_lines l
    JOIN orders o ON o.id = l.order_id WHERE o.user_id = ${userId}::uuid))`
  await tx.updateTable('gifts').set({ toName: '', toEmail: null, note: '', sendAt: null }).where(theirs).execute()
}
