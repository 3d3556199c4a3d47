import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Db } from '../../kit/database.server.ts'
import { type Caller, handlePublic, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { type Limit, type Limiter, networkOf } from '../../kit/serve/limit.server.ts'
import type { Input } from '../../kit/contract.ts'
import { type Report, sweepErrors, writeReport } from './errors.store.server.ts'
import { analyzeError, FIX_LABELS, REPORT_BYTES, reportErrors } from './errors.contract.ts'
import { gradeOf } from './errors.rules.ts'
import { openGate } from './gate.server.ts'
import { release } from '../release.server.ts'
import { routeOf, scrub } from '../../kit/log/scrub.rules.ts'
import { openSourceMaps } from './sourceMaps.server.ts'
import { describeCause, ownFrame, parseStack, writeStack } from './stack.rules.ts'

// Removes personal data from browser reports again, maps them to the source and groups them by cause. They leave the
// shop only when staff request an explanation from a model (assistant/explanation).

const limits: Limit[] = [{ per: 'address', count: 10, seconds: 60 }]
const batchLimits: Limit[] = [{ per: 'address', count: 3, seconds: 60 }]
const newCauses: Limit = { per: 'address', count: 30, seconds: 24 * 3600 }
/** All reports of one bug update the same rows. More concurrency would take database connections from buyers. */
const MAX_AT_WORK = 2

type Reported = Input<typeof analyzeError>
type Sender = Caller<'public'>

type Needs = {
  distDir: string
  secret: string
  limiter: Pick<Limiter, 'take'>
}

export function errorRoutes({ distDir, secret, limiter }: Needs): Route[] {
  const gate = openGate('reports of errors were dropped', MAX_AT_WORK)
  const trace = openSourceMaps(join(distDir, 'assets'))

  async function readReport({ error, context }: Reported, { user, ip, header }: Sender): Promise<Report> {
    const text = scrub(error.name && error.name !== 'Error' ? `${error.name}: ${error.message}` : error.message)
    const message = text.trim().slice(0, 500) || 'An error without a message'
    const type = error.type ?? 'javascript'
    const frames = await trace(parseStack(scrub(error.stack ?? '')))
    const own = ownFrame(frames)
    const cause = describeCause({ type, message, frames })
    return {
      type,
      message,
      severity: gradeOf({ type, message }),
      place: own ? `${own.file}:${own.line}`.slice(0, 300) : '',
      fingerprint: createHash('sha256').update(cause).digest('hex'),
      person: hashPerson(user ? user.id : networkOf(ip)),
      occurrence: {
        release: releaseOf(header('x-release')),
        route: routeOf(context.url ?? ''),
        stack: writeStack(frames).slice(0, 6000),
        componentStack: scrub(context.componentStack ?? '')
          .trim()
          .slice(0, 3000),
        userAgent: (context.userAgent ?? error.userAgent ?? '').slice(0, 300),
        autoFixed: error.autoFixed ?? false,
      },
    }
  }

  const hashPerson = (who: string) => createHmac('sha256', secret).update(`errors ${who}`).digest('hex').slice(0, 32)

  /** Returns the group's id, or null if the report was dropped. */
  async function note(reported: Reported, caller: Sender): Promise<string | null> {
    const mayOpen = () => limiter.take(`error causes ${networkOf(caller.ip)}`, newCauses) === 0
    return writeReport(caller.db, await readReport(reported, caller), mayOpen)
  }

  return [
    handlePublic(analyzeError, { limits, bodyLimit: REPORT_BYTES }, async (reported, caller) => {
      const groupId = await gate(() => note(reported, caller))
      const errorId = reported.error.id ?? groupId ?? ''
      if (!groupId) return { errorId, action: 'dropped' as const, success: false, description: 'Not recorded.' }
      const description = `Recorded for the people who run the shop, under ${groupId.slice(0, 8)}.`
      const { autoFixed, type = 'javascript' } = reported.error
      return { errorId, action: autoFixed ? FIX_LABELS[type] : ('recorded' as const), success: true, description }
    }),

    handlePublic(
      reportErrors,
      { limits: batchLimits, bodyLimit: REPORT_BYTES },
      async ({ errors, context }, caller) => {
        let recorded = 0
        await gate(async () => {
          for (const error of errors) if (await note({ error, context }, caller)) recorded += 1
        })
        return { recorded }
      },
    ),
  ]
}

/** Returns the release of the page. Without one, assumes the running release. */
const releaseOf = (named = release) => (/^[\w.+-]{1,80}$/.test(named) ? named : 'unknown')

export const errorJobs = (db: Db, { keepErrorsDays }: { keepErrorsDays: number }): Job[] => [
  { name: 'sweep_errors', pool: 'other', cron: '41 3 * * *', run: () => sweepErrors(db, keepErrorsDays) },
]
