import { createHash, createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { deriveKey } from '../../kit/seal.server.ts'
import type { GiftsTable } from '../../kit/tables.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './gifts.statements.server.ts'

// Gifts and their claim links. The table stores only a hash of the link.

export type GiftRow = Selectable<GiftsTable>

/** Derives links from the shop's secret, so that the job that mails a gift later can create its link again. */
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

/** The caller locks the order of the line first. */
export const lockGift = (tx: Tx, id: string): Promise<GiftRow> =>
  tx.selectFrom('gifts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const giftsOfLine = (db: Db | Tx, orderLineId: string): Promise<GiftRow[]> =>
  db.selectFrom('gifts').selectAll().where('orderLineId', '=', orderLineId).orderBy('createdAt', 'desc').execute()

export const lockGiftsToEnd = (tx: Tx, orderLineId: string) => statements.lockGiftsToEnd(tx, { orderLineId })

/** Counts the giver's gift mails to an address within a day of `at`, sent or planned. Each renewed link was a mail. */
export async function countMails(tx: Tx, giverId: string, address: string, at: Date): Promise<number> {
  return only(await statements.countMails(tx, { giverId, address, at })).mails
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

/** Reads the buyer's copies of a line without refunded ones. `isUsed`: the buyer downloaded, read or revealed it. */
export const readCopies = async (tx: Db | Tx, orderLineId: string) =>
  only(await statements.readCopies(tx, { orderLineId }))

export const findClaimedLine = (db: Db | Tx, giftId: string) =>
  db.selectFrom('orderLines').select(['id', 'orderId', 'productId']).where('giftId', '=', giftId).executeTakeFirst()

/**
 * Clears names, addresses and notes of gifts that an erased member gave or claimed. Planned mails are not sent. Links
 * still work, and recipients retain their gifts.
 */
export async function forgetGiftsOf(tx: Tx, userId: string) {
  await statements.forgetGifts(tx, { userId })
}
