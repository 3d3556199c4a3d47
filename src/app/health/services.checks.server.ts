import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createOidc } from '../../identity/oidc/provider.server.ts'
import type { Config } from '../settings.server.ts'
import { signInToMailServer } from '../../kit/mail/mail.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { fail, type Finding, ok, warn } from '../../monitoring/health/finding.rules.ts'

const TIMEOUT_MS = 5000

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Writes, reads and deletes a few bytes. */
export async function checkStorage(openStorage: () => Storage | Promise<Storage>): Promise<Finding> {
  const key = `doctor-${randomUUID()}`
  const bytes = randomBytes(1024)
  try {
    const storage = await openStorage()
    try {
      await storage.put(key, Readable.from([bytes]))
      const { stream } = await storage.open(key)
      if (!bytes.equals(await buffer(stream))) throw new Error('what was read is not what was written')
    } finally {
      await storage.remove(key)
    }
    return ok('files', 'written, read and removed')
  } catch (error) {
    return fail('files', wordsOf(error), 'make DATA_DIR/objects writable for this user, and room on its disk')
  }
}

/** Reads the identity provider's discovery document. */
export async function checkIdentity(oidc: NonNullable<Config['oidc']>): Promise<Finding> {
  try {
    await createOidc(oidc, 'http://localhost').discover()
    return ok('sign-in', `${new URL(oidc.issuer).host} answers`)
  } catch (error) {
    return fail('sign-in', wordsOf(error), 'correct OIDC_ISSUER, or see whether it can be reached from here')
  }
}

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
      `${host}: ${wordsOf(error).split('\n')[0]}`,
      'correct host, port, user and password in SMTP_URL',
    )
  }
  if (mailFrom.includes('@localhost'))
    return warn('mail', `${host} takes mail, but MAIL_FROM is ${mailFrom}`, 'set MAIL_FROM')
  return ok('mail', `${host} takes mail from ${mailFrom}`)
}
