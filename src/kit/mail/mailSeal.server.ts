import { log } from '../log/log.server.ts'
import { createSeal } from '../seal.server.ts'

// Encrypts the tokens of links in stored mails, because such a link grants access. The shop decrypts them when it sends
// the mail, so that a reader of the table or of a backup cannot use them.

const MARK = 'sealed.'
const SEALED = /sealed\.([\w-]{40,})/g

export type MailSeal = ReturnType<typeof createMailSeal>

/** `secret` is the shop's secret. A token encrypted for one recipient decrypts only in mails to that recipient. */
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
