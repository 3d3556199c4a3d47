import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../kit/config.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { sendMail } from '../kit/mail/mail.server.ts'

type Text = { subject: string; lines: string[]; action?: string }
const texts = JSON.parse(readFileSync(join(import.meta.dirname, 'mails.json'), 'utf8')) as Record<string, Text>

/** `id` tells this event from others of its kind. */
type Given = { id: string; to: string; url?: string; values?: Record<string, string> }

/** Sends a text of mails.json, in which {name} stands for a value and {store} for the shop's name. */
export function mailText(
  tx: Tx,
  { storeName }: Pick<Config, 'storeName'>,
  name: string,
  { id, to, url, values }: Given,
): Promise<void> {
  const { subject, lines, action } = texts[name]!
  const given: Record<string, string> = { store: storeName, ...values }
  return sendMail(
    tx,
    { storeName },
    {
      key: `${name}:${id}`,
      to,
      subject,
      lines: lines.map((line) => line.replace(/\{(\w+)\}/g, (_, value: string) => given[value]!)),
      ...(action && url && { action: { label: action, url } }),
    },
  )
}
