import { recordAct } from '../../identity/audit/audit.server.ts'
import { endSessionsOf } from '../../identity/sessions/session.store.server.ts'
import type { Role } from '../../kit/contract.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { findMembers, readMember, signOutMember } from './members.contract.ts'
import { readMemberFile, readPage } from './members.statements.server.ts'
import { searchMembers } from './memberSearch.server.ts'
import { memberViewRoute, type ViewOptions } from './memberView.server.ts'
import { lastOf, only } from '../../kit/values/required.ts'

const MANY = 25
const limits = [{ per: 'account', count: 240, seconds: 60 }] as const

export const memberRoutes = (options: ViewOptions): Route[] => [
  handle(findMembers, { limits: [...limits] }, async ({ q = '', kind, after, limit = MANY }, { db, pool }) => {
    const found = await searchMembers({ db, pool }, { q: q.trim(), kind, after, limit: limit + 1 })
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

  handle(
    signOutMember,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id }, { user, db }) => {
      if (id === user.id) throw new Failure(409, 'Sign out under Settings.', 'own_account')
      const ended = await inTransaction(db, (tx) => signOut(tx, options, { id, actor: user }))
      return { ended }
    },
  ),

  memberViewRoute(options),
]

type SignOutInput = { id: string; actor: { id: string; role: Role } }

async function signOut(tx: Tx, mailing: Mailing, { id, actor }: SignOutInput): Promise<number> {
  const members = tx.selectFrom('users').select('role').where('id', '=', id).where('erasedAt', 'is', null)
  const member = await members.forNoKeyUpdate().executeTakeFirst()
  if (!member) throw new Failure(404, 'Not found')
  if (member.role !== 'member' && actor.role !== 'admin')
    throw new Failure(403, 'Only an administrator signs staff out.', 'staff_account')
  const ended = await endSessionsOf(tx, id)
  await recordAct(tx, {
    actorId: actor.id,
    act: 'account.signed_out',
    subjectId: id,
    details: { sessions: `${ended}` },
  })
  await mailMember(tx, mailing, id, {
    key: `signed-out:${crypto.randomUUID()}`,
    subject: 'We signed you out everywhere',
    lines: [
      'Our staff ended all sessions of your account, to protect it. Sign in again to go on.',
      'If you don’t know why, choose a new password and write to us in the chat.',
    ],
  })
  return ended
}
