import { log } from '../log/log.server.ts'
import { createSeal } from '../seal.server.ts'

// A link in a mail grants access, and mails wait in a table until they are sent. The token of the link is stored sealed and
// opened on sending, so that a reader of the table or of a backup cannot follow it.

const MARK = 'sealed.'
const SEALED = /sealed\.([\w-]{40,})/g

export type MailSeal = ReturnType<typeof createMailSeal>

/** `secret` is the shop's. A token sealed for one recipient opens only in mails to that recipient. */
export function createMailSeal(secret: string) {
  const tokens = createSeal(secret, 'mailed links')

  const seal = (token: string, recipient: string): string => MARK + tokens.seal(token, recipient).toString('base64url')

  const open = (text: string, recipient: string): string =>
    text.replace(SEALED, (all, sealed: string) => {
      const token = tokens.open(Buffer.from(sealed, 'base64url'), recipient)
      if (!token) log.warn('a mailed link does not open: SECRET changed, or the link was sealed for another recipient')
      return token?.toString() ?? all
    })

  return { seal, open }
}
