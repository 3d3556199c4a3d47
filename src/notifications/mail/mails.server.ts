import { createHash, timingSafeEqual } from 'node:crypto'
import { tidyEmail } from '../../identity/accounts/email.rules.ts'
import { markMailRefused, setMailChoice } from '../../identity/accounts/account.store.server.ts'
import { signingKey } from '../../identity/identity.server.ts'
import { areMailsKept } from '../../identity/pages/context.server.ts'
import type { Config } from '../../kit/config.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handleRaw, type Route } from '../../kit/handle.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { createMailSeal } from '../../kit/mail/mailSeal.server.ts'
import { tokenOf } from '../../kit/secret.server.ts'
import { parseJson } from '../../kit/serve/body.server.ts'
import { readBounces } from './bounces.rules.ts'
import { devMailRoutes } from './devMail.pages.server.ts'
import { openNewsletter } from './newsletter.server.ts'

const BODY_LIMIT = 512 * 1024
/** The mails that end with a spam complaint. */
const OPTIONAL_MAILS = ['wantsNews', 'wantsVersions', 'wantsReviewMails', 'wantsMessages', 'wantsFollows'] as const

export function openMails({
  config,
  db,
  secret,
  publicUrl,
  sender,
}: {
  config: Pick<Config, 'storeName' | 'smtpUrl' | 'mode'> & { mailBounceToken: string | undefined }
  db: Db
  secret: string
  publicUrl: string
  sender?: string
}) {
  const look = { storeName: config.storeName, isTls: publicUrl.startsWith('https:') }
  const newsletter = openNewsletter({ db, look, config, secret: signingKey(secret), publicUrl })
  return {
    routes: [
      ...newsletter.routes,
      ...bounceRoutes(config.mailBounceToken),
      ...(areMailsKept(config, publicUrl)
        ? devMailRoutes({ db, look, seal: createMailSeal(secret), footing: { publicUrl, ...(sender && { sender }) } })
        : []),
    ],
    /** Mails all subscribers with a verified address. Returns their number. */
    sendNewsletter: newsletter.send,
    unsubscribeUrlOf: newsletter.unsubscribeUrlOf,
  }
}

// Mail providers report bounces to this route with the secret of MAIL_BOUNCE_TOKEN. Without it, there is no route.

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, own: string) => timingSafeEqual(digest(given), digest(own))

const bounceRoutes = (token: string | undefined): Route[] =>
  token === undefined
    ? []
    : [
        handleRaw(
          'POST /api/mails/bounces',
          {
            access: 'public',
            about: 'Receives bounces and complaints from the mail provider, with the token of MAIL_BOUNCE_TOKEN.',
            body: 'bytes',
            bodyLimit: BODY_LIMIT,
            isFromBrowser: false,
            limits: [{ per: 'address', count: 600, seconds: 60 }],
          },
          async ({ header, body, db }) => {
            if (!isSame(tokenOf(header('authorization')), token)) throw new Failure(401, 'Unauthorized')
            const bounces = readBounces(parseJson(body))
            if (!bounces) throw new Failure(400, 'This is no notice of a mail that came back.')
            for (const { email, kind, reason } of bounces) {
              if (kind === 'bounce') await markMailRefused(db, tidyEmail(email), reason)
              else
                for (const choice of OPTIONAL_MAILS) await setMailChoice(db, 'email', tidyEmail(email), choice, false)
            }
            log.info('received bounced mails', { count: bounces.length })
            return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }
          },
        ),
      ]
