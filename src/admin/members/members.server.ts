import { asPage, type KeyKind, readCursor } from '../../catalogue/shelf/cursor.server.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { distrustBrowsersOf } from '../../identity/second-factor/trustedBrowsers.store.server.ts'
import { endSessionsOf } from '../../identity/sessions/session.store.server.ts'
import type { Role } from '../../kit/contract.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { findMembers, listMemberCases, readMember, signOutMember } from './members.contract.ts'
import { listCases, readMemberFile, readPage } from './members.statements.server.ts'
import { searchMembers } from './memberSearch.server.ts'
import { lastOf, only } from '../../kit/values/required.ts'

const MANY = 25
const CASE_KEYS: KeyKind[] = ['number', 'text', 'text', 'id']
const textOf = (key: string | number | null) => (key === null ? null : String(key))
const limits = [{ per: 'account', count: 240, seconds: 60 }] as const

export const memberRoutes = (mailing: Mailing): Route[] => [
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

  handle(listMemberCases, { limits: [...limits] }, async ({ id, limit = MANY, after }, { pool }) => {
    const [at = null, kind = null, state = null, caseId = null] = readCursor(after, 'cases', CASE_KEYS)
    const page = only(
      await listCases(pool, {
        ...{ memberId: id, limit, at: at === null ? null : Number(at), kind: textOf(kind) },
        ...{ state: textOf(state), caseId: textOf(caseId) },
      }),
    )
    return asPage(page, 'cases', `/api/admin/members/${id}/cases`, { limit })
  }),

  handle(
    signOutMember,
    { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] },
    async ({ id }, { user, db }) => {
      if (id === user.id) throw new Failure(409, 'Sign out under Settings.', 'own_account')
      const ended = await inTransaction(db, (tx) => signOut(tx, mailing, { id, actor: user }))
      return { ended }
    },
  ),
]

type SignOutInput = { id: string; actor: { id: string; role: Role } }

async function signOut(tx: Tx, mailing: Mailing, { id, actor }: SignOutInput): Promise<number> {
  const members = tx.selectFrom('users').select('role').where('id', '=', id).where('erasedAt', 'is', null)
  const member = await members.forNoKeyUpdate().executeTakeFirst()
  if (!member) throw new Failure(404, 'Not found')
  if (member.role !== 'member' && actor.role !== 'admin')
    throw new Failure(403, 'Only an administrator signs staff out.', 'staff_account')
  const ended = await endSessionsOf(tx, id)
  // a trusted browser signs in without the second factor
  const distrusted = await distrustBrowsersOf(tx, id)
  if (ended + distrusted === 0) return 0
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
      'To protect your account, our staff signed you out on every device. Please sign in again.',
      'If you don’t know why, choose a new password and write to us in the chat.',
    ],
  })
  return ended
}
