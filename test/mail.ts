import { createMailSeal } from '../src/kit/mail/mailSeal.server.ts'
import { SECRET, type TestShop } from './shop.ts'

/** The first link of the newest mail to this address (of this subject), as its recipient reads it. */
export async function mailedLink({ database }: TestShop, recipient: string, subject?: string): Promise<URL> {
  const { bodyText } = await database.db
    .selectFrom('mails')
    .select('bodyText')
    .where('recipient', '=', recipient)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const [link] = /https?:\S+/.exec(createMailSeal(SECRET).open(bodyText, recipient)) ?? []
  if (!link) throw new Error(`the mail to ${recipient} has no link`)
  return new URL(link)
}
