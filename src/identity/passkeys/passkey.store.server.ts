import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '../../kit/config.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { KeyProof, MadeKey, Passkey } from './passkey.contract.ts'
import { issueToken, redeemToken } from '../token.store.server.ts'
import { CEREMONY_SECONDS, createWebauthn } from './webauthn.server.ts'
import { noteFactor } from '../audit/security.server.ts'
import { mailText } from '../mails.server.ts'

const MAX_KEYS = 20
const CEREMONY = 'passkey'

const Ceremony = z.object({ kind: z.enum(['make', 'sign-in', 'step-up']), userId: z.string(), challenge: z.string() })
type Ceremony = z.infer<typeof Ceremony>
type Begun = { options: object; secret: string }
type Owner = { id: string; email: string }

export type Passkeys = ReturnType<typeof createPasskeys>

export function createPasskeys(config: Pick<Config, 'storeName'>, db: Db, publicUrl: string) {
  const webauthn = createWebauthn({ publicUrl, storeName: config.storeName })

  const keysOf = (on: Db | Tx, userId: string) =>
    on.selectFrom('passkeys').select(['credentialId', 'transports']).where('userId', '=', userId).execute()

  const begin = (ceremony: Ceremony) => issueToken(db, CEREMONY, ceremony, CEREMONY_SECONDS)

  async function take(secret: string, kind: Ceremony['kind'], userId: string): Promise<string | null> {
    const begun = await redeemToken(db, CEREMONY, secret, Ceremony)
    return begun?.kind === kind && begun.userId === userId ? begun.challenge : null
  }

  async function beginMaking(owner: Owner): Promise<Begun> {
    const options = await webauthn.toMake(owner, await keysOf(db, owner.id))
    return { options, secret: await begin({ kind: 'make', userId: owner.id, challenge: options.challenge }) }
  }

  async function beginShowing(userId = ''): Promise<Begun> {
    const options = await webauthn.toShow(userId ? await keysOf(db, userId) : [])
    const kind = userId ? 'step-up' : 'sign-in'
    return { options, secret: await begin({ kind, userId, challenge: options.challenge }) }
  }

  async function add(owner: Owner, secret: string, name: string, made: MadeKey) {
    const challenge = await take(secret, 'make', owner.id)
    const key = challenge && (await webauthn.readMade(made, challenge))
    if (!key) throw new Failure(409, 'The passkey wasn’t created in time. Please try again.', 'passkey_refused')
    await inTransaction(db, async (tx) => {
      // the lock makes concurrent additions count in sequence
      await tx.selectFrom('users').select('id').where('id', '=', owner.id).forNoKeyUpdate().execute()
      if ((await keysOf(tx, owner.id)).length >= MAX_KEYS)
        throw new Failure(409, `An account can have up to ${MAX_KEYS} passkeys. Remove one first.`, 'too_many_passkeys')
      const row = await tx
        .insertInto('passkeys')
        .values({ userId: owner.id, name, ...key })
        .onConflict((conflict) => conflict.column('credentialId').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) throw new Failure(409, 'This passkey is already in use.', 'passkey_refused')
      await notifyOwner(tx, owner, 'added', name)
    })
  }

  async function prove(secret: string, proof: KeyProof, userId = ''): Promise<string | null> {
    const challenge = await take(secret, userId ? 'step-up' : 'sign-in', userId)
    const key = await db
      .selectFrom('passkeys')
      .select(['id', 'userId', 'credentialId', 'publicKey', 'counter'])
      .where('credentialId', '=', proof.id)
      .executeTakeFirst()
    if (!challenge || !key || (userId && key.userId !== userId)) return null
    const handle = proof.userHandle && Buffer.from(proof.userHandle, 'base64url').toString()
    if (handle && handle !== key.userId) return null
    const counter = await webauthn.readProof(proof, challenge, key)
    if (counter === null) return null
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ counter, lastUsedAt: now })
      .where('id', '=', key.id)
      // if two copies of a passkey sign in at once, this rejects the second
      .where('counter', '=', key.counter)
      .executeTakeFirst()
    return numUpdatedRows === 1n ? key.userId : null
  }

  async function list(userId: string): Promise<Passkey[]> {
    const rows = await db
      .selectFrom('passkeys')
      .select(['id', 'name', 'createdAt', 'lastUsedAt'])
      .where('userId', '=', userId)
      .orderBy('createdAt', 'desc')
      .execute()
    return rows.map(({ createdAt, lastUsedAt, ...same }) => ({
      ...same,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }))
  }

  async function rename(userId: string, id: string, name: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  const remove = (owner: Owner, id: string): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const row = await tx
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('userId', '=', owner.id)
        .returning('name')
        .executeTakeFirst()
      if (row) await notifyOwner(tx, owner, 'removed', row.name)
      return row !== undefined
    })

  const has = async (userId: string): Promise<boolean> => (await keysOf(db, userId)).length > 0

  async function notifyOwner(tx: Tx, { id, email }: Owner, change: 'added' | 'removed', name: string) {
    await noteFactor(tx, id, `passkey_${change}`)
    await mailText(tx, config, `passkey-${change}`, { id: randomUUID(), to: email, values: { name } })
  }

  return { beginMaking, beginShowing, add, prove, list, rename, remove, has }
}

export async function removePasskeysOf(tx: Tx, userId: string) {
  await tx.deleteFrom('passkeys').where('userId', '=', userId).execute()
}
