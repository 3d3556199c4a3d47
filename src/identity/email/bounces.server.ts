import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { parseJson } from '../../kit/serve/body.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handleRaw, type Route } from '../../kit/handle.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { tidyEmail } from '../accounts/account.rules.ts'
import { readBounces } from './bounces.rules.ts'

// A mail server may take a mail and give it back later; then the provider tells us here, with the secret of
// MAIL_BOUNCE_TOKEN. Without that setting there is no such route.

const BODY_LIMIT = 512 * 1024

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, own: string) => timingSafeEqual(digest(given), digest(own))

export const bounceRoutes = (token: string | undefined): Route[] =>
  token === undefined
    ? []
    : [
        handleRaw(
          'POST /api/mails/bounces',
          {
            access: 'public',
            about: 'What a mail provider tells of addresses that take no mail; with the token of MAIL_BOUNCE_TOKEN.',
            body: 'bytes',
            bodyLimit: BODY_LIMIT,
            isFromBrowser: false,
            limits: [{ per: 'address', count: 600, seconds: 60 }],
          },
          async ({ header, body, db }) => {
            if (!isSame(tokenOf(header('authorization')), token)) throw new Failure(401, 'Unauthorized')
            const bounces = readBounces(parseJson(body))
            if (!bounces) throw new Failure(400, 'This is no notice of a mail that came back.')
            for (const { email, kind, reason } of bounces)
              await (kind === 'bounce' ? markRefused(db, email, reason) : endNews(db, email))
            log.info('mails came back', { count: bounces.length })
            return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
          },
        ),
      ]

/** 'Bearer x', or the password of 'Basic', which is all that an address with a password in it can send. */
function tokenOf(authorization = ''): string {
  const [scheme = '', given = ''] = authorization.split(' ')
  if (scheme.toLowerCase() === 'bearer') return given
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString() : ''
  return /^[^:]*:(.*)$/s.exec(pair)?.[1] ?? ''
}

/** Its owner is told when they look at their profile, and no news go there until a mailed link is opened. */
const markRefused = (db: Db, email: string, reason: string) =>
  db
    .updateTable('users')
    .set({ mailRefusedAt: sql`now()`, mailRefusal: reason, updatedAt: sql`now()` })
    .where('email', '=', tidyEmail(email))
    .execute()

const endNews = (db: Db, email: string) =>
  db
    .updateTable('users')
    .set({ wantsNews: false, updatedAt: sql`now()` })
    .where('email', '=', tidyEmail(email))
    .where('wantsNews', '=', true)
    .execute()
