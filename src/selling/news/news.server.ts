import { sql } from 'kysely'
import { USUAL_LOW } from '../../delivery/codes/stock.store.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { sendMail } from '../../kit/mail/mail.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import type { SellerEvent } from '../sales/rollup.server.ts'
import { getSellerNews, type SellerNews, setSellerNews, type NewsKind } from './news.contract.ts'
import {
  type Digest,
  digestText,
  hasRunLow,
  linesText,
  lowText,
  refundSubject,
  saleSubject,
  sumOf,
  titleOf,
} from './news.rules.ts'
import * as statements from './news.statements.server.ts'

// Mails and push messages to sellers. The job that adds up sales enqueues them in its transaction.

type Mailing = { config: Pick<Config, 'storeName'>; publicUrl: string }

const USUAL: SellerNews = { sales: 'each', refunds: 'each', reviews: 'each', stock: 'each' }
const FIELDS = ['sales', 'refunds', 'reviews', 'stock'] as const

export const newsRoutes: Route[] = [
  handle(getSellerNews, async (_, { user, db }) => {
    const chosen = await db.selectFrom('sellerWishes').select(FIELDS).where('userId', '=', user.id).executeTakeFirst()
    return { ...USUAL, ...(chosen as SellerNews | undefined) }
  }),

  handle(setSellerNews, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, async (wishes, { user, db }) => {
    await db
      .insertInto('sellerWishes')
      .values({ userId: user.id, ...wishes })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...wishes, updatedAt: now }))
      .execute()
    return wishes
  }),
]

type News = {
  told: NewsKind
  key: string
  subject: string
  lines: string[]
  body: string
  path: string
  counts: Partial<Digest>
}

type Seller = { id: string; email: string; hasPush: boolean; wishes: SellerNews }

/** Notifies the sellers of these events by mail and push, or adds the events to the daily digest. */
export async function notifySellers(tx: Tx, mailing: Mailing, added: SellerEvent[]) {
  const events = added.filter(({ kind, isRecent }) => kind === 'refund' || isRecent)
  if (events.length === 0) return
  const low = await readLow(tx, events)
  for (const seller of await readSellers(tx, [...new Set(events.map(({ sellerId }) => sellerId))])) {
    const own = events.filter(({ sellerId }) => sellerId === seller.id)
    const news = [...salesOf(own), ...refundsOf(own), ...(await reviewsOf(tx, own)), ...lowOf(own, low)]
    for (const one of news) if (seller.wishes[one.told] === 'each') await send(tx, mailing, seller, one)
    await count(
      tx,
      seller.id,
      news.filter(({ told }) => seller.wishes[told] === 'daily'),
    )
  }
}

/** Returns the sellers that are not erased, with their notification settings. */
async function readSellers(tx: Tx, ids: string[]): Promise<Seller[]> {
  const rows = await tx
    .selectFrom('users as u')
    .leftJoin('sellerWishes as w', 'w.userId', 'u.id')
    .select(['u.id', 'u.email', 'w.sales', 'w.refunds', 'w.reviews', 'w.stock'])
    .select(sql<boolean>`EXISTS (SELECT FROM push_subscriptions WHERE user_id = u.id)`.as('hasPush'))
    .where('u.id', 'in', ids)
    .where('u.erasedAt', 'is', null)
    .execute()
  return rows.map(({ id, email, hasPush, sales, ...wishes }) => ({
    ...{ id, email, hasPush },
    wishes: sales === null ? USUAL : ({ sales, ...wishes } as SellerNews),
  }))
}

const ordersOf = (events: SellerEvent[], kind: SellerEvent['kind']) => [
  ...Map.groupBy(
    events.filter((event) => event.kind === kind),
    ({ orderId }) => orderId,
  ).values(),
]

/** Returns one notification for each order, without the buyer and without codes. */
const salesOf = (own: SellerEvent[]): News[] =>
  ordersOf(own, 'sale').map((sold) => {
    const [{ orderId, orderLineId, sellerId }] = sold as [SellerEvent]
    const lines = sold.map(({ title, quantity, grossCents }) => ({ title, quantity, cents: grossCents }))
    const cents = sumOf(lines)
    return {
      ...{ told: 'sales', key: `sale:${orderId}:${sellerId}`, subject: saleSubject(lines) },
      lines: [...linesText(lines), `Order ${orderId.slice(-8)}.${cents > 0 ? ' Amounts are before fees.' : ''}`],
      body: cents > 0 ? `${titleOf(lines)}, ${usd(cents)}` : titleOf(lines),
      path: `/sales/${orderLineId}`,
      counts: { sales: lines.length, soldCents: cents },
    }
  })

const refundsOf = (own: SellerEvent[]): News[] =>
  ordersOf(
    own.filter(({ returnedCents }) => returnedCents > 0),
    'refund',
  ).map((returned) => {
    const [{ id, orderId, orderLineId }] = returned as [SellerEvent]
    const lines = returned.map(({ title, quantity, returnedCents }) => ({ title, quantity, cents: returnedCents }))
    const cents = sumOf(lines)
    return {
      ...{ told: 'refunds', key: `sale-refunded:${id}`, subject: refundSubject(lines) },
      lines: [
        ...lines.map(({ title, cents }) => `${title}: ${usd(cents)} went back to the buyer`),
        `Order ${orderId.slice(-8)}. Your balance shows what the refund costs you.`,
      ],
      body: `${titleOf(lines)}, ${usd(cents)}`,
      path: lines.length === 1 ? `/sales/${orderLineId}` : '/orders?tab=sales',
      counts: { refunds: lines.length, refundedCents: cents },
    }
  })

async function reviewsOf(tx: Tx, own: SellerEvent[]): Promise<News[]> {
  const ids = own.filter(({ kind }) => kind === 'review').map(({ orderLineId }) => orderLineId)
  if (ids.length === 0) return []
  const reviews = await tx
    .selectFrom('reviews as r')
    .innerJoin('products as p', 'p.id', 'r.productId')
    .select(['r.id', 'r.stars', 'r.body', 'p.id as productId', 'p.title'])
    .where('r.orderLineId', 'in', ids)
    .where('r.hiddenAt', 'is', null)
    .execute()
  return reviews.map(({ id, stars, body, productId, title }) => ({
    ...{ told: 'reviews', key: `seller-review:${id}`, subject: `New review: ${stars} of 5 for “${title}”` },
    lines: [`A buyer gave “${title}” ${stars} of 5 stars.`, ...(body ? [body] : [])],
    body: `${stars} of 5 for ${title}`,
    path: `/product/${productId}`,
    counts: { reviews: 1 },
  }))
}

const usesStock = ({ kind }: SellerEvent) => kind === 'sale' || kind === 'own'

/** Returns the products whose codes have run low because of these purchases, with the number of free codes. */
async function readLow(tx: Tx, events: SellerEvent[]): Promise<Map<string, number>> {
  const sold = new Map<string, number>()
  for (const { isCode, productId, quantity } of events.filter(usesStock))
    if (isCode) sold.set(productId, (sold.get(productId) ?? 0) + quantity)
  if (sold.size === 0) return new Map()
  const rows = await statements.readLow(tx, { productIds: [...sold.keys()], usualLow: USUAL_LOW })
  return new Map(
    rows.flatMap(({ productId, left, lowAt }) =>
      hasRunLow(left, sold.get(productId)!, lowAt) ? [[productId, left]] : [],
    ),
  )
}

function lowOf(own: SellerEvent[], low: Map<string, number>): News[] {
  // one notification per product, about its last purchase
  const last = new Map(own.filter(usesStock).map((event) => [event.productId, event]))
  return [...last.values()].flatMap(({ productId, title, orderLineId }) => {
    const left = low.get(productId)
    if (left === undefined) return []
    const text = lowText(title, left)
    return {
      ...{ told: 'stock' as const, key: `low-stock:${orderLineId}`, subject: text.slice(0, -1) },
      lines: [text, 'Without codes the product shows as sold out.'],
      body: text,
      path: `/my-products/${productId}`,
      counts: { low: 1 },
    }
  })
}

async function send(tx: Tx, { config, publicUrl }: Mailing, seller: Seller, { key, subject, lines, body, path }: News) {
  await sendMail(tx, config, {
    ...{ key, to: seller.email, subject },
    lines: [...lines, HOW_TO_STOP],
    action: { label: 'Open it', url: publicUrl + path },
  })
  if (seller.hasPush) await sendPush(tx, seller.id, { key, title: subject, body, url: path })
}

const HOW_TO_STOP = 'You choose these mails under Email Preferences on your profile: each, once a day, or none.'

async function count(tx: Tx, userId: string, news: News[]) {
  if (news.length === 0) return
  const total = (field: keyof Digest) => news.reduce((sum, { counts }) => sum + (counts[field] ?? 0), 0)
  await statements.addToDigest(tx, {
    userId,
    ...{ sales: total('sales'), soldCents: total('soldCents'), refunds: total('refunds') },
    ...{ refundedCents: total('refundedCents'), reviews: total('reviews'), low: total('low') },
  })
}

const AT_ONCE = 100

export async function mailDigests(db: Db, mailing: Mailing) {
  while ((await inTransaction(db, (tx) => mailSome(tx, mailing))) === AT_ONCE);
}

async function mailSome(tx: Tx, { config, publicUrl }: Mailing): Promise<number> {
  const rows = await statements.takeDigests(tx, { limit: AT_ONCE })
  for (const { userId, day, email, ...digest } of rows) {
    if (email === null) continue
    const key = `seller-digest:${userId}:${day}`
    const lines = digestText(digest)
    await sendMail(tx, config, {
      ...{ key, to: email, subject: `Your sales on ${day}` },
      lines: [...lines, HOW_TO_STOP],
      action: { label: 'Open Sales', url: `${publicUrl}/orders?tab=sales` },
    })
    await sendPush(tx, userId, { key, title: `Your sales on ${day}`, body: lines.join(' '), url: '/orders?tab=sales' })
  }
  return rows.length
}

/** Deletes the notification settings and digests of an erased account. */
export async function forgetNewsOf(tx: Tx, userId: string) {
  await tx.deleteFrom('sellerWishes').where('userId', '=', userId).execute()
  await tx.deleteFrom('sellerDigests').where('userId', '=', userId).execute()
}

export const newsJobs = (db: Db, mailing: Mailing): Job[] => [
  { name: 'seller_digests', pool: 'other', cron: '0 6 * * *', run: () => mailDigests(db, mailing) },
]
