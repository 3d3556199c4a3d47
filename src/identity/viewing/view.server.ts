import type { Database, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handleRaw, type Route } from '../../kit/handle.server.ts'
import { addJob, type Job } from '../../kit/jobs.server.ts'
import { recordAct } from '../audit/audit.server.ts'
import type { Context } from '../pages/context.server.ts'
import { redirect } from '../pages/page.server.ts'
import type { Cookies } from '../sessions/cookies.server.ts'
import { sessionKeyOf } from '../sessions/session.store.server.ts'
import * as statements from '../sessions/session.statements.server.ts'
import { hashToken, newToken } from '../token.store.server.ts'
import { END_VIEW_LINE, VIEW_MINUTES } from './staffView.ts'

export type StartViewInput = {
  cookies: Cookies
  cookie: string | undefined
  memberId: string
  actorId: string
  reason: string
}

/**
 * Makes a session of staff show the shop as a member. Returns the end and the new cookie of the session. A trigger
 * records the end in the audit log.
 */
export async function startView(
  tx: Tx,
  { cookies, cookie, memberId, actorId, reason }: StartViewInput,
): Promise<{ endsAt: Date; cookie: string }> {
  const next = newToken()
  const hashes = { tokenHash: sessionKeyOf(cookies, cookie) ?? '', nextHash: hashToken(next) }
  const [session] = await statements.startView(tx, { ...hashes, memberId, minutes: VIEW_MINUTES })
  if (!session?.viewEndsAt) throw new Failure(401, 'Unauthorized')
  const details = { reason, until: session.viewEndsAt.toISOString() }
  await recordAct(tx, { actorId, act: 'account.viewed', subjectId: memberId, details })
  await addJob(tx, 'end_due_views', {}, { delaySeconds: VIEW_MINUTES * 60 + 1 })
  return { endsAt: session.viewEndsAt, cookie: cookies.setSession(next) }
}

export const viewRoutes = ({ cookies }: Pick<Context, 'cookies'>): Route[] => [
  handleRaw(
    END_VIEW_LINE,
    {
      access: 'member',
      about: 'Ends the view of the shop as a member. The form of the banner posts here and returns to the staff pages.',
      limits: [{ per: 'account', count: 30, seconds: 60 }],
    },
    async ({ header, pool }) => {
      const tokenHash = sessionKeyOf(cookies, header('cookie')) ?? ''
      const next = newToken()
      const [ended] = await statements.endView(pool, { tokenHash, nextHash: hashToken(next) })
      const answer = redirect(ended ? `/admin/members/${ended.viewedId}` : '/')
      // the browser must not show the pages of the member again, for example by Back
      const headers = { ...answer.headers, 'clear-site-data': '"cache"' }
      return { ...answer, headers: ended ? { ...headers, 'set-cookie': cookies.setSession(next) } : headers }
    },
  ),
]

/** A view ends at its time without the job. The job only records the end. */
export const viewJobs = ({ pool }: Pick<Database, 'pool'>): Job[] => [
  {
    name: 'end_due_views',
    pool: 'other',
    run: async () => {
      await statements.endDueViews(pool, {})
    },
  },
]
