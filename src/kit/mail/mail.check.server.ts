import type { Config } from '../config.server.ts'
import { fail, type Finding, messageOf, ok, warn } from '../health/finding.rules.ts'
import { signInToMailServer } from './mail.server.ts'

const TIMEOUT_MS = 5000

export async function checkMail({
  smtpUrl,
  mode,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mode' | 'mailFrom'>): Promise<Finding> {
  if (!smtpUrl) {
    if (mode !== 'production') return warn('mail', 'sent to nobody, but shown at /dev/mail', 'set SMTP_URL')
    return fail('mail', 'SMTP_URL is not set: nobody can confirm an address or reset a password', 'set SMTP_URL')
  }
  const { host } = new URL(smtpUrl)
  try {
    await signInToMailServer(smtpUrl, TIMEOUT_MS)
  } catch (error) {
    return fail(
      'mail',
      `${host}: ${messageOf(error).split('\n')[0]}`,
      'correct host, port, user and password in SMTP_URL',
    )
  }
  if (mailFrom.includes('@localhost'))
    return warn('mail', `${host} takes mail, but MAIL_FROM is ${mailFrom}`, 'set MAIL_FROM')
  return ok('mail', `${host} takes mail from ${mailFrom}`)
}
