import { randomInt, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import type { MailSeal } from '../../kit/mail/mailSeal.server.ts'
import { mailText } from '../mails.server.ts'
import { expiryIn, redeemToken, revokeTokens, tokenIdentifier } from '../token.store.server.ts'

// The proof of identity of an account without password, passkey and second factor: a code that the shop mails. The
// stored hash includes the token of the session, so that a reader of the database cannot find the code.

const MAILED_CODE = 'step-up'
const CODE_SECONDS = 600
const Claim = z.object({ userId: z.string() })

const secretOf = (sessionToken: string, code: string) => `${sessionToken} ${code}`

type Shop = { config: Pick<Config, 'storeName'>; db: Db; seal: MailSeal }
type Asking = { userId: string; email: string; sessionToken: string }

/** Mails a code that works in this session. Revokes the former codes of the account. */
export async function mailCode({ config, db, seal }: Shop, { userId, email, sessionToken }: Asking) {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await inTransaction(db, async (tx) => {
    await revokeTokens(tx, [MAILED_CODE], userId)
    await tx
      .insertInto('verifications')
      .values({
        identifier: tokenIdentifier(MAILED_CODE, secretOf(sessionToken, code)),
        value: JSON.stringify({ userId }),
        expiresAt: expiryIn(CODE_SECONDS),
      })
      .execute()
    const values = { code: seal.seal(code, email) }
    await mailText(tx, config, 'step-up-code', { id: randomUUID(), to: email, values })
  })
}

/** Returns true once for the newest code of this session. */
export async function takeMailedCode(db: Db, { userId, sessionToken }: Omit<Asking, 'email'>, code: string) {
  const claim = await redeemToken(db, MAILED_CODE, secretOf(sessionToken, code.replaceAll(' ', '')), Claim)
  return claim?.userId === userId
}
