import { readFileSync } from 'node:fs'
import { Failure } from '../../kit/failure.ts'
import type { Db } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import {
  type Cause,
  findExplanation,
  keepExplanation,
  readCause,
} from '../../monitoring/errors/explanations.store.server.ts'
import { type ErrorExplanation, explainError, getExplanation } from './explanation.contract.ts'
import { explainLocally } from './known.rules.ts'
import type { Model } from '../model.server.ts'
import { scrub } from '../../kit/log/scrub.rules.ts'

const limits: Limit[] = [{ per: 'account', count: 10, seconds: 60, isShared: true }]

export function explanationRoutes(model: Model | null): Route[] {
  /** Concurrent requests for the same error share one answer. */
  const asking = new Map<string, Promise<void>>()

  async function explain(db: Db, id: string, cause: Cause, isAgain: boolean) {
    const release = cause.lastRelease
    if (!isAgain && (await findExplanation(db, id, release))?.release === release) return
    if (!model) throw new Failure(409, 'No model is set up: set AI_URL, AI_KEY and AI_MODEL.', 'no_model')
    const text = plainText(await model.ask({ task: TASK, data: describeReport(cause) }))
    if (text === '') throw new Failure(503, 'The model said nothing.', 'model_away', { retryAfter: 30 })
    await keepExplanation(db, { groupId: id, release, text, model: model.name })
  }

  async function show(db: Db, id: string, cause: Cause): Promise<ErrorExplanation> {
    const found = await findExplanation(db, id, cause.lastRelease)
    const explanation = found ? { ...found, askedAt: found.askedAt.toISOString() } : null
    return { model: model?.name ?? null, explanation, known: explainLocally(cause) }
  }

  return [
    handle(getExplanation, async ({ id }, { db }) => show(db, id, await findCause(db, id))),

    handle(explainError, { limits }, async ({ id, isAgain = false }, { db }) => {
      const cause = await findCause(db, id)
      const key = `${id} ${cause.lastRelease} ${isAgain}`
      const asked = asking.get(key) ?? explain(db, id, cause, isAgain).finally(() => asking.delete(key))
      asking.set(key, asked)
      await asked
      return show(db, id, cause)
    }),
  ]
}

async function findCause(db: Db, id: string): Promise<Cause> {
  const cause = await readCause(db, id)
  if (!cause) throw new Failure(404, 'Not found')
  return cause
}

export const TASK = readFileSync(new URL('task.txt', import.meta.url), 'utf8').trim()

/** Builds the prompt, at most about 4,000 characters. Scrubs again, because the page sends the release. */
export function describeReport(cause: Cause): string {
  const text = (given: string | null, most: number) =>
    scrub(given ?? '')
      .slice(0, most)
      .toWellFormed()
  return JSON.stringify({
    message: text(cause.message, 500),
    kind: cause.type,
    severity: cause.severity,
    place: text(cause.place, 300),
    page: text(cause.route, 200),
    frames: text(cause.stack, 2000).split('\n'),
    components: text(cause.componentStack, 600),
    firstSeenInRelease: text(cause.firstRelease, 80),
    lastSeenInRelease: text(cause.lastRelease, 80),
    times: cause.times,
    people: cause.people,
  })
}

export const MAX_LENGTH = 4000

/** Removes control and direction characters from the answer. */
export const plainText = (answer: string): string =>
  answer
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed()
