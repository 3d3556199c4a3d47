import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { log } from '../log.server.ts'

// A link in a mail is a key, and a mail waits in a table until it is sent. So the secret of a link stands there sealed, and
// is opened when the mail goes out: whoever reads the table, in a backup or at the very moment, can follow no link.

const MARK = 'sealed.'
const SEALED = /sealed\.([\w-]{40,})/g
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type MailSeal = ReturnType<typeof createMailSeal>

/** `secret` is the shop's. What is sealed for one recipient opens in mails to that one alone, whoever gets it into another. */
export function createMailSeal(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mailed links', 32))

  /** Stands for the token in the text of a mail. */
  function seal(token: string, recipient: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(recipient))
    return (
      MARK + Buffer.concat([nonce, cipher.update(token), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    )
  }

  /** The text as its recipient is to read it. */
  const open = (text: string, recipient: string): string =>
    text.replace(SEALED, (all, sealed: string) => unseal(Buffer.from(sealed, 'base64url'), recipient) ?? all)

  function unseal(bytes: Buffer, recipient: string): string | null {
    try {
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
      decipher.setAAD(Buffer.from(recipient)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    } catch {
      log.warn('a mailed link does not open: SECRET is another one, or the link is another mail’s')
      return null
    }
  }

  return { seal, open }
}
