import type { Transporter } from 'nodemailer'
import { sql } from 'kysely'
import type { Config } from '../config.server.ts'
import { type Database, type Db, inTransaction, now, type Tx } from '../database.server.ts'
import { isolateRtl } from '../bidi/isolate.rules.ts'
import { escapeHtml } from '../html.server.ts'
import { addJob, type Job } from '../jobs.server.ts'
import { log } from '../log/log.server.ts'
import { deleteOld } from '../schema/retention.server.ts'
import { LEGAL_PAGES } from './legal.ts'
import * as statements from './mail.statements.server.ts'
import type { MailSeal } from './mailSeal.server.ts'

export type Mail = {
  /** Unique per event ('receipt:<order id>'): deduplicates the mail. */
  key: string
  to: string
  subject: string
  lines: string[]
  action?: { label: string; url: string }
  /** For optional mail: a link in the mail and a button of the mail program unsubscribe. */
  unsubscribeUrl?: string
}

export type Attach = (mail: { key: string }) => Promise<{ filename: string; content: Buffer; contentType: string }[]>

const library = () => import('nodemailer')

/** Returns the links at the end of every mail. */
export const legalLinks = (publicUrl: string) => LEGAL_PAGES.map(([path, name]) => ({ name, url: publicUrl + path }))

/** A placeholder. `completeHtml` inserts the links and the sender when the mail is sent. */
const FOOT = '<!-- foot -->'

export type Footing = {
  publicUrl: string
  sender?: string
}

export function completeHtml(bodyHtml: string, { publicUrl, sender }: Footing): string {
  const links = legalLinks(publicUrl).map(
    ({ name, url }) => `<a href="${escapeHtml(url)}" style="color:#5a6275">${name}</a>`,
  )
  const foot = links.join(' · ') + (sender ? `<br>Sent by ${escapeHtml(sender)}` : '')
  return bodyHtml.replace(FOOT, () => foot)
}

/** Stores the mail in the caller's transaction. A job polls the table and sends the mail. */
export async function sendMail(tx: Tx | Db, config: Pick<Config, 'storeName'>, given: Mail) {
  const mail = { ...given, subject: isolateRtl(given.subject), lines: given.lines.map(isolateRtl) }
  const text = [
    ...mail.lines,
    ...(mail.action ? [`${mail.action.label}: ${mail.action.url}`] : []),
    `— ${config.storeName}`,
    ...(mail.unsubscribeUrl ? [`No more of these: ${mail.unsubscribeUrl}`] : []),
  ].join('\n\n')
  const bodyHtml = renderMail(config.storeName, mail)
  await statements.storeMail(tx, {
    ...{ key: mail.key, recipient: mail.to, subject: mail.subject, bodyText: text, bodyHtml },
    unsubscribeUrl: mail.unsubscribeUrl ?? null,
  })
}

const AT_ONCE = 20
/**
 * When a node dies while it sends, its leases expire and other nodes send the mails. A sending node renews its leases,
 * because a slow mail server can take longer than a lease.
 */
const LEASE_MS = 120_000
/** Timeouts of each step of sending. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }
/** Mails share connections. The library must not retry a mail whose connection broke, because a job retries it. */
const POOL = { pool: true, maxConnections: 5, idleTimeout: 30_000, maxRequeues: 0 } as const

const leaseDue = async (db: Db, leaseMs: number): Promise<string[]> =>
  (await statements.leaseDue(db, { leaseMs, limit: AT_ONCE })).map(({ id }) => id)

function keepLeased(db: Db, ids: string[], leaseMs: number): () => void {
  const renew = () =>
    statements
      .renewLeases(db, { ids, leaseMs })
      .catch((error: unknown) => log.warn('the leases of mails were not renewed', { error: String(error) }))
  const timer = setInterval(() => void renew(), leaseMs / 4)
  return () => clearInterval(timer)
}

/** Enqueues a job that retries the mail, and excludes the mail from polling. */
const leaveToJob = (db: Db, id: string) =>
  inTransaction(db, async (tx) => {
    await tx
      .updateTable('mails')
      .set({ dueAt: sql<Date>`NULL` })
      .where('id', '=', id)
      .execute()
    await addJob(tx, 'send_mail', { id }, { key: `mail:${id}`, delaySeconds: 5 })
  })

export async function deleteMailsTo(tx: Tx, addresses: string[]) {
  await tx.deleteFrom('mails').where('recipient', 'in', addresses).execute()
}

/** Jobs that send stored mails. Without SMTP_URL, mails stay in the table, where /dev/mail shows them. */
export function mailJobs(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'keepMailsDays'> & Footing,
  { db }: Database,
  { open }: Pick<MailSeal, 'open'>,
  attach: Attach = async () => [],
  leaseMs = LEASE_MS,
): Job[] {
  let opening: Promise<Transporter> | undefined
  const links = legalLinks(config.publicUrl)
  async function send(id: string) {
    const { smtpUrl } = config
    if (!smtpUrl) return
    const mail = await db
      .selectFrom('mails')
      .selectAll()
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where('refusedAt', 'is', null)
      .executeTakeFirst()
    if (!mail) return
    try {
      const attachments = await attach(mail)
      const transport = await (opening ??= library().then(({ createTransport }) =>
        createTransport({ url: smtpUrl, ...POOL, ...TIMEOUTS }),
      ))
      await transport.sendMail({
        from: config.mailFrom,
        to: mail.recipient,
        subject: mail.subject,
        text: [open(mail.bodyText, mail.recipient), ...links.map(({ name, url }) => `${name}: ${url}`)].join('\n\n'),
        html: completeHtml(open(mail.bodyHtml, mail.recipient), config),
        ...(attachments.length > 0 && { attachments }),
        ...(mail.unsubscribeUrl && { headers: unsubscribeHeaders(mail.unsubscribeUrl) }),
        messageId: `<${mail.id}@${new URL(config.publicUrl).hostname}>`,
      })
      await db
        .updateTable('mails')
        // deletes personal content
        .set({ sentAt: now, error: null, bodyText: '', bodyHtml: '' })
        .where('id', '=', id)
        .execute()
    } catch (error) {
      const isFinal = isRefusedPermanently(error)
      await db
        .updateTable('mails')
        .set({
          error: String(error).slice(0, 500),
          ...(isFinal && { refusedAt: now, bodyText: '', bodyHtml: '' }),
        })
        .where('id', '=', id)
        .execute()
      if (!isFinal) throw error
      log.warn('a mail was refused permanently', { mail: id })
    }
  }

  async function sendDue() {
    if (!config.smtpUrl) return
    for (;;) {
      const due = await leaseDue(db, leaseMs)
      const stop = keepLeased(db, due, leaseMs)
      await Promise.all(due.map((id) => send(id).catch(() => leaveToJob(db, id)))).finally(stop)
      if (due.length < AT_ONCE) return
    }
  }

  return [
    { name: 'send_mail', pool: 'outside', run: ({ id = '' }) => send(id) },
    { name: 'send_mails', everySeconds: 1, run: sendDue },
    {
      name: 'sweep_mails',
      pool: 'other',
      cron: '53 * * * *',
      run: async () => {
        await deleteOld(db, { table: 'mails', moment: 'createdAt', days: config.keepMailsDays })
      },
    },
  ]
}

/** Signs in to the mail server without sending a mail. Rejects with the server's reason. */
export async function signInToMailServer(url: string, timeoutMs: number) {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const transport = (await library()).createTransport({ url, ...timeouts })
  await transport.verify().finally(() => transport.close())
}

/** Mail programs show a button for these headers (RFC 8058). */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** 5xx replies about the shop's configuration: login, relaying, sender, protocol, policy. The mail is retried. */
const OURS = /^5(?:03|30|35)|^5\d\d[ -]5\.(?:1\.[78]|[57]\.)|relay|sender|authenti/i
/** RFC 3463 status codes about this mail or its mailbox. */
const OF_THIS_MAIL = /^552|^5\d\d[ -]5\.(?:[126]\.|3\.4)/

function isRefusedPermanently(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { command, code, response } = error as Error & { command?: string; code?: string; response?: string }
  if (!response?.startsWith('5') || OURS.test(response)) return false
  return command === 'RCPT TO' || (code === 'EMESSAGE' && OF_THIS_MAIL.test(response))
}

function renderMail(storeName: string, { subject, lines, action, unsubscribeUrl }: Mail): string {
  const paragraphs = lines.map((line) => `<p dir="auto" style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('')
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="background:#1b4dd1;color:#fff;padding:12px 20px;border-radius:12px;text-decoration:none;font-weight:600;display:inline-block">${escapeHtml(action.label)}</a></p>`
    : ''
  const foot = unsubscribeUrl
    ? `<p style="margin:20px 0 0;font-size:14px;color:#5a6275"><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5a6275">No more of these</a></p>`
    : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f4f6fb;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#171b26">
<div style="max-width:560px;margin:0 auto;padding:32px 20px"><p dir="auto" style="font-weight:700;font-size:18px;margin:0 0 20px">${escapeHtml(storeName)}</p>
<div style="background:#fff;border:1px solid #dfe3ee;border-radius:16px;padding:28px"><h1 dir="auto" style="font-size:22px;margin:0 0 16px">${escapeHtml(subject)}</h1>${paragraphs}${button}</div>${foot}<p style="margin:20px 0 0;font-size:14px;color:#5a6275">${FOOT}</p></div></body></html>`
}
