import { sql } from 'kysely'
import { createMailSeal } from '../src/kit/mail/mailSeal.server.ts'
import { SECRET, type TestShop } from './shop.ts'

/** Returns the text of the newest mail to an address, optionally with this start of the subject. */
export async function mailedText({ database }: TestShop, recipient: string, subject?: string): Promise<string> {
  const { bodyText } = await database.db
    .selectFrom('mails')
    .select('bodyText')
    .where('recipient', '=', recipient)
    .$if(subject !== undefined, (query) => query.where(sql<boolean>`starts_with(subject, ${subject})`))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return createMailSeal(SECRET).open(bodyText, recipient)
}

/** Returns the first link of the mail. */
export async function mailedLink(shop: TestShop, recipient: string, subject?: string): Promise<URL> {
  const [link] = /https?:\S+/.exec(await mailedText(shop, recipient, subject)) ?? []
  if (!link) throw new Error(`the mail to ${recipient} has no link`)
  return new URL(link)
}
