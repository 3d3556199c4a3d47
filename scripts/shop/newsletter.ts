import { Failure } from '../../src/kit/failure.ts'
import { type Command, readArgs } from './command.ts'
import { withDatabase } from './connection.ts'
import { openAccounts } from './identity.ts'

const LONGEST_SUBJECT = 120

export const newsCommand: Command = {
  name: 'news',
  usage: '--subject "..." < text',
  about: 'Mails a text to everybody who asked for news; empty lines part its paragraphs',
  run: async (desk, args) => {
    const { values } = readArgs(newsCommand, args, { subject: { type: 'string' } })
    const subject = values.subject?.trim() ?? ''
    if (subject === '' || subject.length > LONGEST_SUBJECT || /\p{Cc}/u.test(subject))
      throw new Failure(400, `--subject: give one line of up to ${LONGEST_SUBJECT} characters.`)
    const text = await desk.readInput()
    const lines = text.split(/\r?\n\s*\r?\n/).map((paragraph) => paragraph.trim())
    const paragraphs = lines.filter((line) => line !== '')
    if (paragraphs.length === 0) throw new Failure(400, 'Give the text on standard input.')
    const config = desk.readConfig()
    await withDatabase(config, async (database) => {
      const { sendNews } = await openAccounts(config, database)
      const count = await sendNews(subject, paragraphs)
      desk.say(`${count} ${count === 1 ? 'mail is' : 'mails are'} on the way.`)
    })
  },
}
