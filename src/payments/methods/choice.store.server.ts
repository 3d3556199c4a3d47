import { type Db, now } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Provider, Providers } from '../provider.ts'
import { findProvider } from './methods.statements.server.ts'

/** Finds an offered method by name. Throws a 400 Failure for any other name. */
export function offeredMethod({ list }: Pick<Providers, 'list'>, name: string, field = 'method'): Provider {
  const found = list.find((provider) => provider.name === name)
  if (!found) throw new Failure(400, `${field}: this shop doesn’t take ${name}.`, 'invalid')
  return found
}

/** Chooses a default method: the first offered one of `wanted`, otherwise the member's, otherwise the main one. */
export async function defaultMethod(
  db: Db,
  { list, main }: Pick<Providers, 'list' | 'main'>,
  userId: string,
  wanted: string | null,
): Promise<Provider> {
  if (list.length === 1) return main
  const offered = (name: string | null | undefined) => list.find((provider) => provider.name === name)
  const own = offered(wanted)
  if (own) return own
  const [choice] = await findProvider(db, { userId })
  return offered(choice?.provider) ?? main
}

export type Choice = { provider: string; walletId: string | null }

export async function rememberUsed(db: Db, { list }: Pick<Providers, 'list'>, userId: string, choice: Choice) {
  if (list.length > 1) await rememberMethod(db, userId, choice)
}

export async function rememberMethod(db: Db, userId: string, choice: Choice) {
  await db
    .insertInto('methodChoices')
    .values({ userId, ...choice })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...choice, chosenAt: now }))
    .execute()
}
