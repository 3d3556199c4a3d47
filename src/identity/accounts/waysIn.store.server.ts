import type { Tx } from '../../kit/database.server.ts'
import { removePasskeysOf } from '../passkeys/passkey.store.server.ts'
import { removeSecondFactor } from '../second-factor/secondFactor.store.server.ts'
import { endSessionsOf } from '../sessions/session.store.server.ts'

/** Removes sessions, password, linked sign-ins, passkeys and second factor, if an intruder may have added some of them. */
export async function removeWaysIn(tx: Tx, userId: string) {
  await tx.deleteFrom('accounts').where('userId', '=', userId).execute()
  await removePasskeysOf(tx, userId)
  await removeSecondFactor(tx, userId)
  await endSessionsOf(tx, userId)
}
