import type { Config } from '../../kit/config.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { createMailSeal } from '../../kit/mail/mailSeal.server.ts'
import { signingKey } from '../../identity/identity.server.ts'
import { areMailsKept } from '../../identity/pages/context.server.ts'
import { bounceRoutes } from './bounces.server.ts'
import { devMailRoutes } from './devMail.pages.server.ts'
import { openNewsletter } from './newsletter.server.ts'

export function openMails({
  config,
  db,
  secret,
  publicUrl,
}: {
  config: Pick<Config, 'storeName' | 'smtpUrl' | 'mode'> & { mailBounceToken: string | undefined }
  db: Db
  secret: string
  publicUrl: string
}) {
  const look = { storeName: config.storeName, isTls: publicUrl.startsWith('https:') }
  const newsletter = openNewsletter({ db, look, config, secret: signingKey(secret), publicUrl })
  return {
    routes: [
      ...newsletter.routes,
      ...bounceRoutes(config.mailBounceToken),
      ...(areMailsKept(config, publicUrl) ? devMailRoutes({ db, look, seal: createMailSeal(secret) }) : []),
    ],
    /** Mails all subscribers with a verified address. Returns their number. */
    sendNewsletter: newsletter.send,
  }
}
