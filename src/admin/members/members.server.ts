import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { findMembers, readMember } from './members.contract.ts'
import { readMemberFile, readPage } from './members.statements.server.ts'
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
    const { json } = only(await readPage(pool, { ids: page }))
    return asJson(json, next ? { link: next } : {})
  }),

  handle(readMember, { limits: [...limits] }, async ({ id }, { user, pool }) => {
    const [member] = await readMemberFile(pool, { id, readerId: user.id })
    if (!member) throw new Failure(404, 'Not found')
    return asJson(member.json)
  }),
]
