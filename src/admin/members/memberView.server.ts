import type { Identity } from '../../identity/identity.server.ts'
import { VIEW_MINUTES } from '../../identity/viewing/staffView.ts'
import type { StartViewInput } from '../../identity/viewing/view.server.ts'
import type { Role } from '../../kit/contract.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle } from '../../kit/handle.server.ts'
import { mailMember, type Mailing } from '../../notifications/mail/caseMail.server.ts'
import { sendPush } from '../../notifications/push/push.enqueue.server.ts'
import { viewMember } from './members.contract.ts'

export type ViewOptions = Mailing & { identity: Pick<Identity, 'startView'> }

/** Staff see the shop as a member (decision 96). */
export const memberViewRoute = ({ identity, ...mailing }: ViewOptions) =>
  handle(
    viewMember,
    { limits: [{ per: 'account', count: 30, seconds: 3600, isShared: true }] },
    async ({ id: memberId, reason }, { user, db, header }) => {
      if (memberId === user.id) throw new Failure(409, 'This is your own account.', 'own_account')
      const { endsAt, cookie } = await inTransaction(db, async (tx) => {
        await demandViewable(tx, memberId, user.role)
        const view = { cookie: header('cookie'), memberId, actorId: user.id, reason }
        const started = await identity.startView(tx, view)
        await notifyMember(tx, mailing, { memberId, reason })
        return started
      })
      return asJson(JSON.stringify({ until: endsAt.toISOString() }), { 'set-cookie': cookie })
    },
  )

async function demandViewable(tx: Tx, memberId: string, role: Role) {
  const members = tx.selectFrom('users').select('role').where('id', '=', memberId).where('erasedAt', 'is', null)
  const member = await members.executeTakeFirst()
  if (!member) throw new Failure(404, 'Not found')
  if (member.role !== 'member' && role !== 'admin')
    throw new Failure(403, 'Only an administrator sees the shop as staff.', 'staff_account')
}

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

async function notifyMember(
  tx: Tx,
  mailing: Mailing,
  { memberId, reason }: Pick<StartViewInput, 'memberId' | 'reason'>,
) {
  const key = `viewed:${crypto.randomUUID()}`
  await mailMember(tx, mailing, memberId, {
    key,
    subject: 'A member of staff looked at your account',
    lines: [
      `A member of staff looked at your account on ${moment.format(new Date())} UTC. Reason: ${reason}`,
      `They saw the shop as you see it, for at most ${VIEW_MINUTES} minutes. They could change nothing. Your codes, keys and files, your ways to pay and the security of your account stayed closed.`,
      'If you did not expect this, write to us in the chat.',
    ],
    action: { label: 'Open the chat', path: '/#chat' },
  })
  await sendPush(tx, memberId, {
    key,
    title: 'A member of staff looked at your account',
    body: `Reason: ${reason}`,
    url: '/#chat',
  })
}
