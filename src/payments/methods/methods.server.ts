import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import { buyerLabel, METHODS } from '../methods.ts'
import { findWallet, saveWallet } from '../wallets.store.server.ts'
import { Unanswered } from '../outcome.ts'
import type { AddsMethod, Provider, Providers } from '../provider.ts'
import { hasWallet, walletRoutes } from '../wallets.server.ts'
import { offeredMethod, rememberMethod } from './choice.store.server.ts'
import { addMethod, chooseMethod, finishAdding, listMethods, type OfferedMethod } from './methods.contract.ts'
import { only } from '../../kit/values/required.ts'

export function methodRoutes(providers: Pick<Providers, 'list'>): Route[] {
  const { list } = providers
  const limits = [{ per: 'account' as const, count: 60, seconds: 60 }]
  const adding = [{ per: 'account' as const, count: 10, seconds: 60 }]
  const offer = JSON.stringify(list.map(offerOf))
  const names = list.map(({ name }) => name)
  const modes = list.map(({ mode }) => mode)
  const read = async (pool: pg.Pool, userId: string) =>
    asJson(only(await readMethods(pool, userId, offer, names, modes)).json)
  return [
    ...walletRoutes(providers),

    handle(listMethods, { limits }, (_, { user, pool }) => read(pool, user.id)),

    handle(chooseMethod, { limits }, async ({ method, walletId }, { user, db, pool }) => {
      const provider = offeredMethod(providers, method)
      if (walletId && !(await findWallet(db, user.id, provider, walletId))) throw new Failure(404, 'Not found')
      await rememberMethod(db, user.id, { provider: method, walletId })
      return read(pool, user.id)
    }),

    handle(addMethod, { limits: adding }, async ({ method }, { user }) => {
      const { url, ref } = await unlessAway(addsOf(providers, method).start(user.id))
      return { url, ref }
    }),

    handle(finishAdding, { limits }, async ({ method, ref }, { user, db, pool }) => {
      const kept = await unlessAway(addsOf(providers, method).finish(user.id, ref))
      if (!kept) throw new Failure(404, 'Not found')
      const { name, mode } = offeredMethod(providers, method)
      await saveWallet(db, { userId: user.id, provider: name, mode, vaultId: kept.token, label: kept.label })
      // the member has removed it since
      if (!(await hasWallet(db, user.id, name, kept.token))) throw new Failure(404, 'Not found')
      return read(pool, user.id)
    }),
  ]
}

const AWAY = new Failure(503, 'The payment provider isn’t responding. Please try again.', 'provider_away', {
  retryAfter: 5,
})

const unlessAway = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw error instanceof Unanswered ? AWAY : error
  })

function addsOf(providers: Pick<Providers, 'list'>, method: string): AddsMethod {
  const { saved, label } = offeredMethod(providers, method)
  if (!saved?.adds) throw new Failure(400, `method: ${label} saves no method without a payment.`, 'invalid')
  return saved.adds
}

const offerOf = ({ name, label, hint, mode, step, saved }: Provider): OfferedMethod => ({
  ...{ name, hint, step },
  label: METHODS.includes(name) ? buyerLabel(name) : label,
  isSandbox: mode === 'sandbox',
  canAdd: saved?.adds !== undefined,
})

/** A method saved after its provider was chosen is the member's wish for the next time. */
const readMethods = statement<
  { json: string },
  [userId: string, offer: string, names: string[], modes: Provider['mode'][]]
>(
  'methods_read',
  `WITH saved AS MATERIALIZED (
    SELECT w.id, w.provider, w.label, w.created_at FROM wallets w
    JOIN unnest($3::text[], $4::text[]) AS o (name, mode) ON o.name = w.provider AND o.mode = w.mode
    WHERE w.user_id = $1 AND w.removed_at IS NULL),
  chosen AS (
    SELECT 1 AS rank, provider, coalesce(
      (SELECT id FROM saved WHERE id = c.wallet_id),
      (SELECT id FROM saved s WHERE s.provider = c.provider AND s.created_at > c.chosen_at ORDER BY created_at DESC LIMIT 1)) AS wallet_id
    FROM method_choices c WHERE user_id = $1 AND provider = ANY ($3::text[])
    UNION ALL
    (SELECT 2, provider, id FROM saved ORDER BY created_at DESC, id LIMIT 1)
    UNION ALL
    SELECT 3, ($3::text[])[1], NULL
    ORDER BY rank LIMIT 1)
  SELECT json_build_object(
    'methods', $2::json,
    'saved', (SELECT coalesce(json_agg(json_build_object('id', id, 'method', provider, 'label', label, 'keptSince', ${isoOf('created_at')})
      ORDER BY created_at DESC, id), '[]') FROM saved),
    'choice', (SELECT json_build_object('method', provider, 'walletId', wallet_id) FROM chosen))::text AS json`,
)
