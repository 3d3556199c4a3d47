import { type Config } from '../../kit/config.server.ts'
import { type Db, inTransaction } from '../../kit/database.server.ts'
import { tidyText } from '../../kit/text.rules.ts'
import { emailProblem, nameProblem, tidyEmail } from '../accounts/account.rules.ts'
import { insertUser } from '../accounts/account.store.server.ts'
import type { Claimed } from './provider.server.ts'
import { mailText } from '../mails.server.ts'

const PROVIDER = 'oidc'

export type Found = { userId: string } | 'unverified' | 'unverified_here'

/** Links an existing account only if the provider and the shop both verified its address. Takes no role from a provider. */
export const findOrMakeOutsider = (
  db: Db,
  config: Pick<Config, 'storeName'>,
  issuer: string,
  claimed: Claimed,
): Promise<Found> =>
  inTransaction(db, async (tx) => {
    const accountId = `${issuer}|${claimed.subject}`
    const known = await tx
      .selectFrom('accounts')
      .select('userId')
      .where('providerId', '=', PROVIDER)
      .where('accountId', '=', accountId)
      .executeTakeFirst()
    if (known) return known
    const email = tidyEmail(claimed.email)
    if (!claimed.isEmailVerified || emailProblem(email)) return 'unverified'
    const names = { firstName: shortName(claimed.firstName), lastName: shortName(claimed.lastName) }
    const made = await insertUser(tx, { email, isEmailVerified: true, ...names })
    const user = await tx
      .selectFrom('users')
      .select(['id', 'emailVerified'])
      .where('email', '=', email)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    // its creator may not own the address
    if (!user.emailVerified) return 'unverified_here'
    await tx
      .insertInto('accounts')
      .values({ userId: user.id, accountId, providerId: PROVIDER })
      // a concurrent sign-in may have linked it
      .onConflict((conflict) => conflict.columns(['providerId', 'accountId']).doNothing())
      .execute()
    if (!made)
      await mailText(tx, config, 'linked', {
        id: `${user.id}:${accountId}`,
        to: email,
        values: { provider: new URL(issuer).host },
      })
    return { userId: user.id }
  })

function shortName(given: string | null): string | null {
  const name = tidyText(given ?? '')
  return name !== '' && nameProblem(name) === null ? name : null
}
