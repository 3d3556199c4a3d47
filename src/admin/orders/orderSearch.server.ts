import { sql } from 'kysely'
import { prefixQuery } from '../../catalogue/shelf/search.rules.ts'
import { fold } from '../../catalogue/shelf/fold.rules.ts'
import type { Db } from '../../kit/database.server.ts'
import { shownEmail } from '../../kit/mail/shownEmail.server.ts'
import { toDecimal } from '../../kit/money.ts'
import type { OrderStatus } from '../../orders/states.rules.ts'
import { METHODS } from '../../payments/methods.ts'
import { type FoundOrder, type Side, type Wait, WAITS } from './adminOrders.contract.ts'
import { prefixPattern, type Search } from './orderSearch.rules.ts'
import { required } from '../../kit/values/required.ts'

const MAX_PEOPLE = 100
const SHOWN_TITLES = 2
/** A word in this many lines counts as common. */
const COMMON = 2000

type FindOrdersQuery = {
  search: Search
  status?: OrderStatus | Wait | undefined
  productId?: string | undefined
  side?: Side | undefined
  after?: string | undefined
  limit: number
}
type OrderHit = { id: string; createdAt: Date; at: number }

export async function searchOrders(db: Db, { search, side, ...asked }: FindOrdersQuery): Promise<FoundOrder[]> {
  const { number, capture, email, words } = search
  const people = email === undefined ? [] : await peopleLike(db, email)
  const ways = [
    ...(number ? [pageOf(db, asked).where(isNumbered(number))] : []),
    ...(capture ? [pageOf(db, asked).where('o.id', 'in', isPaidAs(capture))] : []),
    ...(people.length > 0 && side !== 'seller' ? [pageOf(db, asked).where('o.userId', 'in', people)] : []),
    ...(people.length > 0 && side !== 'buyer' ? [pageOf(db, asked).where(isSoldBy(people))] : []),
    ...(words === undefined ? [] : [pageOf(db, asked).where(await hasWords(db, words))]),
    ...(number || email !== undefined || words !== undefined ? [] : [pageOf(db, asked)]),
  ]
  const found: OrderHit[] = []
  for (const way of ways) found.push(...(await way.execute()))
  const ids = new Set(found.sort(newestFirst).map(({ id }) => id))
  return describeOrders(db, [...ids].slice(0, asked.limit))
}

const newestFirst = (a: OrderHit, b: OrderHit) => b.at - a.at || (a.id < b.id ? 1 : -1)

const isWait = (status: OrderStatus | Wait): status is Wait => (WAITS as readonly string[]).includes(status)

const waitsFor = (wait: Wait) => sql<boolean>`o.id IN (SELECT order_id FROM order_wait WHERE wait = ${wait})`

const pageOf = (db: Db, { status, productId, after, limit }: Omit<FindOrdersQuery, 'search' | 'side'>) =>
  db
    .selectFrom('orders as o')
    // in microseconds, because a JavaScript date has only milliseconds
    .select(['o.id', 'o.createdAt', sql<number>`(extract(epoch FROM o.created_at) * 1000000)::bigint`.as('at')])
    .$call((query) => {
      if (status === undefined) return query
      return isWait(status) ? query.where(waitsFor(status)) : query.where('o.status', '=', status)
    })
    .$if(productId !== undefined, (query) =>
      query.where(sql<boolean>`o.id IN (SELECT order_id FROM order_lines WHERE product_id = ${productId}::uuid)`),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(o.created_at, o.id) < (SELECT created_at, id FROM orders WHERE id = ${after}::uuid)`),
    )
    .orderBy('o.createdAt', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit)

async function peopleLike(db: Db, email: string): Promise<string[]> {
  const select = db.selectFrom('users').select('id').where('erasedAt', 'is', null)
  const exact = await select.where('email', '=', email).execute()
  if (exact.length > 0) return exact.map(({ id }) => id)
  const alike = await select.where('email', 'like', prefixPattern(email)).orderBy('email').limit(MAX_PEOPLE).execute()
  return alike.map(({ id }) => id)
}

const isSoldBy = (sellers: string[]) =>
  sql<boolean>`o.id IN (SELECT order_id FROM earnings WHERE seller_id = ANY (${sellers}::uuid[]))`

const isNumbered = ({ text, isWhole }: NonNullable<Search['number']>) =>
  isWhole ? sql<boolean>`o.id = ${text}::uuid` : sql<boolean>`right(o.id::text, 8) = ${text}`

function isPaidAs({ text, isWhole }: NonNullable<Search['capture']>) {
  const texts = sql`(${text}, upper(${text}), lower(${text}))`
  return sql<string>`(SELECT y.order_id FROM payments y WHERE (y.provider, y.provider_capture_id) IN (
    SELECT provider, provider_capture_id FROM payments
    WHERE ${isWhole ? sql`provider = ANY (${METHODS}::text[]) AND provider_capture_id IN ${texts}` : sql`right(provider_capture_id, 8) IN ${texts}`}))`
}

/** Looks up a rare word in its index. A common word is quicker to find by scanning the newest orders. */
async function hasWords(db: Db, words: string) {
  const matches = sql<boolean>`to_tsvector('english', search_text(l.title))
    @@ (websearch_to_tsquery('english', ${fold(words)}::text) || to_tsquery('english', ${prefixQuery(words)}::text))`
  const lines = await db.selectFrom('orderLines as l').select('l.orderId').where(matches).limit(COMMON).execute()
  if (lines.length === COMMON)
    return sql<boolean>`EXISTS (SELECT FROM order_lines l WHERE l.order_id = o.id AND ${matches})`
  return sql<boolean>`o.id = ANY (${lines.map(({ orderId }) => orderId)}::uuid[])`
}

/** The refunded amount as the buyer sees it (purchases.views.sql): money and returned credit. */
const refundedCents = sql<number>`((
  SELECT coalesce(sum(r.amount_cents), 0) FROM payments y JOIN refunds r ON r.payment_id = y.id
  WHERE y.order_id = o.id AND y.status IN ('part_refunded', 'refunded') AND r.status = 'completed'
    AND o.credit_cents < o.total_cents) + (
  SELECT coalesce(sum(c.amount_cents), 0) FROM credit_entries c
  WHERE o.credit_cents > 0 AND c.order_id = o.id AND c.kind = 'refunded'))::bigint`

async function describeOrders(db: Db, ids: string[]): Promise<FoundOrder[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('orders as o')
    .innerJoin('users', 'users.id', 'o.userId')
    .select(['o.id', 'o.totalCents', 'o.status', 'o.createdAt', 'o.paymentMethod', 'users.email', 'users.erasedAt'])
    .select([
      refundedCents.as('refundedCents'),
      sql<Wait[]>`ARRAY(SELECT DISTINCT w.wait FROM order_wait w WHERE w.order_id = o.id)`.as('waits'),
    ])
    .select((row) =>
      row
        .selectFrom('orderLines as l')
        .select(sql<string[]>`array_agg(l.title ORDER BY l.position)`.as('titles'))
        .whereRef('l.orderId', '=', 'o.id')
        .as('titles'),
    )
    .select((row) =>
      row
        .selectFrom('orderLines as l')
        .innerJoin('users as s', 's.id', 'l.sellerId')
        .select(sql<string[]>`array_agg(DISTINCT s.email ORDER BY s.email)`.as('sellers'))
        .whereRef('l.orderId', '=', 'o.id')
        .where('s.erasedAt', 'is', null)
        .as('sellers'),
    )
    .where('o.id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = required(byId.get(id), 'an entry')
    const { totalCents, refundedCents, waits, status, createdAt, paymentMethod, email, erasedAt, titles } = row
    return {
      id,
      buyer: erasedAt ? null : email,
      sellers: (row.sellers ?? []).map(shownEmail),
      paymentMethod,
      total: toDecimal(totalCents),
      refunded: toDecimal(refundedCents),
      waits: WAITS.filter((wait) => waits.includes(wait)),
      status,
      createdAt: createdAt.toISOString(),
      titles: (titles ?? []).slice(0, SHOWN_TITLES),
      lineCount: titles?.length ?? 0,
    }
  })
}
