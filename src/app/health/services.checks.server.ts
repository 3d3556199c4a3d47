import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createOidc } from '../../identity/oidc/provider.server.ts'
import type { Config } from '../settings.server.ts'
import { signInToMailServer } from '../../kit/mail/mail.server.ts'
import { Refused, Unanswered } from '../../payments/paypal/errors.server.ts'
import type { Paypal } from '../../payments/paypal/client.server.ts'
import { openPaypal } from '../../payments/providers.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { fail, type Finding, ok, warn } from '../../monitoring/health/finding.rules.ts'

const PATIENCE_MS = 5000

/** Writes, reads and deletes a few bytes. */
export async function checkStorage(openStorage: () => Storage): Promise<Finding> {
  const key = `doctor-${randomUUID()}`
  const bytes = randomBytes(1024)
  try {
    const storage = openStorage()
    try {
      await storage.put(key, Readable.from([bytes]))
      const { stream } = await storage.open(key)
      if (!bytes.equals(await buffer(stream))) throw new Error('what was read is not what was written')
    } finally {
      await storage.remove(key)
    }
    return ok('files', 'written, read and removed')
  } catch (error) {
    return fail(
      'files',
      error instanceof Error ? error.message : String(error),
      'make DATA_DIR/objects writable for this user, and room on its disk',
    )
  }
}

/** Reads the identity provider's discovery document. */
export async function checkIdentity(oidc: NonNullable<Config['oidc']>): Promise<Finding> {
  try {
    await createOidc(oidc, 'http://localhost').discover()
    return ok('sign-in', `${new URL(oidc.issuer).host} answers`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail('sign-in', why, 'correct OIDC_ISSUER, or see whether it can be reached from here')
  }
}

export async function checkMail({
  smtpUrl,
  mode,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mode' | 'mailFrom'>): Promise<Finding> {
  if (!smtpUrl) {
    if (mode !== 'production') return ok('mail', 'kept and shown at /dev/mail')
    return fail('mail', 'SMTP_URL is not set: nobody can confirm an address or reset a password', 'set SMTP_URL')
  }
  const { host } = new URL(smtpUrl)
  try {
    await signInToMailServer(smtpUrl, PATIENCE_MS)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return fail('mail', `${host}: ${why}`, 'correct host, port, user and password in SMTP_URL')
  }
  if (mailFrom.includes('@localhost'))
    return warn('mail', `${host} takes mail, but MAIL_FROM is ${mailFrom}`, 'set MAIL_FROM')
  return ok('mail', `${host} takes mail from ${mailFrom}`)
}

/** Asks the provider for a token, the first step of every payment. */
export async function checkPaypal({
  createClientToken,
  mode,
}: Pick<Paypal, 'createClientToken' | 'mode'>): Promise<Finding> {
  try {
    await createClientToken()
    return ok('payments', mode === 'live' ? 'PayPal answers' : 'the sandbox answers; no real money')
  } catch (error) {
    if (error instanceof Refused)
      return fail('payments', 'PayPal refuses the credentials', 'correct PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')
    if (error instanceof Unanswered)
      return fail('payments', 'PayPal does not answer', 'look at its status page; orders wait and nothing is lost')
    throw error
  }
}

type Payment = Pick<Config, 'paypal' | 'isSandboxOn' | 'mode' | 'storeName' | 'publicUrl' | 'port'>

export async function checkPayment(
  config: Payment,
  client: Pick<Paypal, 'createClientToken'> | null = openPaypal({
    config,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
  }),
): Promise<Finding> {
  const isLive = config.mode === 'production'
  if (!config.paypal || !client) {
    if (!config.isSandboxOn) return fail('payment', 'no provider', 'set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')
    if (!isLive) return ok('payment', 'the built-in sandbox; no real money')
    return warn('payment', 'the built-in sandbox; no real money', 'set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')
  }
  const { environment, webhookId } = config.paypal
  try {
    await client.createClientToken()
  } catch (error) {
    if (!(error instanceof Refused))
      return fail('payment', `PayPal ${environment} does not answer`, 'let this machine reach it over https')
    return fail(
      'payment',
      `PayPal ${environment} refuses the credentials`,
      'correct PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_ENVIRONMENT',
    )
  }
  if (!webhookId) {
    const says = 'no webhook: what happens at PayPal alone (refunds, late captures) is not heard of'
    return warn('payment', says, 'register PUBLIC_URL/api/payments/paypal/webhook there and set PAYPAL_WEBHOOK_ID')
  }
  if (isLive && environment !== 'live') {
    return warn(
      'payment',
      "PayPal's sandbox answers; no real money",
      'set PAYPAL_ENVIRONMENT=live with live credentials',
    )
  }
  return ok('payment', `PayPal ${environment} gives tokens, webhook ${webhookId}`)
}
