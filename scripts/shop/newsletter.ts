import { readSecret } from '../../src/kit/config.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { openMails } from '../../src/notifications/mail/mails.server.ts'
import { command } from './command.ts'
import { addressOf, withDatabase } from './connection.ts'

const MAX_SUBJECT_LENGTH = 120

export const newsletterCommand = command({
  name: 'newsletter',
  usage: '--subject "..." < text',
  about: 'Mails a text to all members who subscribed; an empty line starts a new paragraph',
  options: { subject: { type: 'string', default: '' } },
  run: async (terminal, values) => {
    const subject = values.subject.trim()
    if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || /\p{Cc}/u.test(subject))
      throw new Failure(400, `--subject: give one line of up to ${MAX_SUBJECT_LENGTH} characters.`)
    const text = await terminal.readInput()
    const lines = text.split(/\r?\n\s*\r?\n/).map((paragraph) => paragraph.trim())
    const paragraphs = lines.filter((line) => line !== '')
    if (paragraphs.length === 0) throw new Failure(400, 'Give the text on standard input.')
    const config = terminal.readConfig()
    await withDatabase(config, async (database) => {
      const { sendNewsletter } = openMails({
        config,
        db: database.db,
        secret: readSecret(config),
        publicUrl: addressOf(config),
      })
      const count = await sendNewsletter(subject, paragraphs)
      terminal.print(`Queued ${count} ${count === 1 ? 'mail' : 'mails'}.`)
    })
  },
})
