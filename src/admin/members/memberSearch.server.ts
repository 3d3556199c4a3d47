import { sql } from 'kysely'
import type pg from 'pg'
import { fold } from '../../catalogue/shelf/fold.rules.ts'
import { prefixQuery } from '../../catalogue/shelf/search.rules.ts'
import { tidyEmail } from '../../identity/accounts/email.rules.ts'
import type { Db } from '../../kit/database.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { METHODS } from '../../payments/methods.ts'
import { prefixPattern, readSearch } from '../orders/orderSearch.rules.ts'
import { findBuyers, findPayers } from './members.statements.server.ts'
import type { MemberKind } from './members.contract.ts'

type Search = { q: string; kind?: MemberKind | undefined; after?: string | undefined; limit: number }

/** The ids of a page of matching members, newest first. Erased accounts match nothing. */
export async function searchMembers(
  { db, pool }: { db: Db; pool: pg.Pool },
  { q, kind, after, limit }: Search,
): Promise<string[]> {
  const payers = await payersOf(pool, q)
  const found = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.erasedAt', 'is', null)
    .$if(q !== '', (query) => query.where(sql<boolean>`(${isNamed(q)} OR u.id = ANY (${payers}::uuid[]))`))
    .$if(kind !== undefined, (query) => query.where(KINDS[kind!]))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(u.created_at, u.id) < (SELECT created_at, id FROM users WHERE id = ${after}::uuid)`),
    )
    .orderBy('u.createdAt', 'desc')
    .orderBy('u.id', 'desc')
    .limit(limit)
    .execute()
  return found.map(({ id }) => id)
}

/** Members by the number of an order, by a payment, or by the address of a wallet. Empty if `q` is none of these. */
async function payersOf(pool: pg.Pool, q: string): Promise<string[]> {
  const { number, capture, email } = readSearch(q) ?? {}
  const found: { userId: string }[] = []
  if (number || capture) {
    const numbers = [number, capture].filter((one) => one !== undefined)
    const captures = capture ? [capture.text, capture.text.toUpperCase(), capture.text.toLowerCase()] : []
    const whole = numbers.find(({ isWhole, text }) => isWhole && isUuid(text))
    const short = number && !number.isWhole ? number.text : null
    const input = { orderId: whole?.text ?? null, shortId: short, providers: [...METHODS], captures }
    found.push(...(await findBuyers(pool, input)))
  }
  if (email?.includes('@')) found.push(...(await findPayers(pool, { label: email })))
  return found.map(({ userId }) => userId)
}

const KINDS: Record<MemberKind, ReturnType<typeof sql<boolean>>> = {
  sellers: sql<boolean>`EXISTS (SELECT FROM products p WHERE p.seller_id = u.id)`,
  suspended: sql<boolean>`u.id IN (SELECT seller_id FROM suspensions WHERE lifted_at IS NULL)`,
  staff: sql<boolean>`u.role <> 'member'`,
}

function isNamed(q: string) {
  const text = q.toLowerCase()
  if (isUuid(text)) return sql<boolean>`u.id = ${text}::uuid`
  const isAddressed = sql<boolean>`u.email LIKE ${prefixPattern(tidyEmail(q))}`
  const words = q.includes('@') ? '' : prefixQuery(fold(q))
  if (words === '') return isAddressed
  // the expression of the index users_words
  return sql<boolean>`(${isAddressed} OR to_tsvector('simple', search_text(coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '')))
    @@ to_tsquery('simple', ${words}::text))`
}
