import type { Config } from '../kit/config.server.ts'
import type { Db, Tx } from '../kit/database.server.ts'
import { sendMail } from '../kit/mail/mail.server.ts'
import texts from './mails.json' with { type: 'json' }

/** `id` is unique among events of its kind. `more` lines follow the lines of the text. */
type MailInput = { id: string; to: string; url?: string; values?: Record<string, string>; more?: string[] }

/** Sends a text of mails.json. Replaces {name} by a value and {store} by the shop's name. */
export function mailText(
  tx: Tx | Db,
  { storeName }: Pick<Config, 'storeName'>,
  name: keyof typeof texts,
  { id, to, url, values, more = [] }: MailInput,
): Promise<void> {
  const { subject, lines, action } = fillText(name, { store: storeName, ...values })
  const mail = {
    key: `${name}:${id}`,
    to,
    subject,
    lines: [...lines, ...more],
    ...(action && url && { action: { label: action, url } }),
  }
  return sendMail(tx, { storeName }, mail)
}

/** Fills the placeholders of a text. Throws if a placeholder has no value. */
export function fillText(name: keyof typeof texts, values: Record<string, string>) {
  const text: { subject: string; lines: string[]; action?: string } = texts[name]
  const fill = (_: string, place: string) => {
    if (values[place] === undefined) throw new Error(`The mail ${name} has no value for {${place}}.`)
    return values[place]
  }
  return { ...text, lines: text.lines.map((line) => line.replace(/\{(\w+)\}/g, fill)) }
}
