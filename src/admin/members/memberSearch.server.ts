import { sql } from 'kysely'
import { fold } from '../../catalogue/shelf/fold.rules.ts'
import { prefixQuery } from '../../catalogue/shelf/search.rules.ts'
import { tidyEmail } from '../../identity/accounts/email.rules.ts'
import type { Db } from '../../kit/database.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { prefixPattern } from '../orders/orderSearch.rules.ts'
import type { MemberKind } from './members.contract.ts'

type Search = { q: string; kind?: MemberKind | undefined; after?: string | undefined; limit: number }

/** The ids of a page of matching members, newest first. Erased accounts match nothing. */
export async function searchMembers(db: Db, { q, kind, after, limit }: Search): Promise<string[]> {
  const found = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.erasedAt', 'is', null)
    .$if(q !== '', (query) => query.where(isNamed(q)))
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
