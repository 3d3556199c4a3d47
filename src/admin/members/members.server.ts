import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { decimalOf, isoOf } from '../../kit/sql/json.server.ts'
import { SELLER } from '../../moderation/cases.store.server.ts'
import { findMembers, readMember } from './members.contract.ts'
import { searchMembers } from './memberSearch.server.ts'
import { lastOf, only } from '../../kit/values/required.ts'

const MANY = 25
const limits = [{ per: 'account', count: 240, seconds: 60 }] as const

export const memberRoutes: Route[] = [
  handle(findMembers, { limits: [...limits] }, async ({ q = '', kind, after, limit = MANY }, { db, pool }) => {
    const found = await searchMembers(db, { q: q.trim(), kind, after, limit: limit + 1 })
    const page = found.slice(0, limit)
    const asked = new URLSearchParams({ ...(q && { q }), ...(kind && { kind }), limit: String(limit) })
    const next = found.length > limit && `</api/admin/members?${asked}&after=${lastOf(page)}>; rel="next"`
    const { json } = only(await readPage(pool, page))
    return asJson(json, next ? { link: next } : {})
  }),

  handle(readMember, { limits: [...limits] }, async ({ id }, { user, pool }) => {
    const [member] = await readFile(pool, id, user.id)
    if (!member) throw new Failure(404, 'Not found')
    return asJson(member.json)
  }),
]

const FOUND = `'id', s.id, 'email', s.email, 'role', s.role, 'since', ${isoOf('s.created_at')},
  'name', coalesce(nullif(concat_ws(' ', nullif(s.first_name, ''), nullif(s.last_name, '')), ''), 'Digital Store User'),
  'isSuspended', EXISTS (SELECT FROM suspensions WHERE seller_id = s.id AND lifted_at IS NULL),
  'orders', sums.total, 'spent', ${decimalOf('sums.spent')}`

const readPage = statement<{ json: string }, [ids: string[]]>(
  'members_page',
  `SELECT coalesce(json_agg(json_build_object(${FOUND}) ORDER BY page.n), '[]')::text AS json
  FROM unnest($1::uuid[]) WITH ORDINALITY page (id, n) JOIN users s ON s.id = page.id, purchase_sums(s.id) sums`,
)

const readFile = statement<{ json: string }, [id: string, readerId: string]>(
  'member_file',
  `SELECT json_build_object(${FOUND}, 'isVerified', s.email_verified, 'isOwn', s.id = $2::uuid,
    'handle', (SELECT handle FROM storefronts WHERE user_id = s.id AND opened_at IS NOT NULL),
    'hasChat', EXISTS (SELECT FROM chat_conversations WHERE user_id = s.id), 'seller', json_build_object(${SELLER}))::text AS json
  FROM users s, purchase_sums(s.id) sums WHERE s.id = $1::uuid AND s.erased_at IS NULL`,
)
