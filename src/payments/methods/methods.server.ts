import type pg from 'pg'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { buyerLabel, METHODS } from '../methods.ts'
import { findWallet, saveWallet } from '../wallets.store.server.ts'
import { Unanswered } from '../outcome.ts'
import type { AddsMethod, Provider, Providers } from '../provider.ts'
import { hasWallet, walletRoutes } from '../wallets.server.ts'
import { offeredMethod, rememberMethod } from './choice.store.server.ts'
import {
  addMethod,
  chooseMethod,
  finishAdding,
  listMethods,
  type Methods,
  type OfferedMethod,
  type SavedMethod,
} from './methods.contract.ts'
import { findDefault } from './methods.statements.server.ts'
import { listWallets, type ListWalletsRow } from './wallets.statements.server.ts'
import { only } from '../../kit/values/required.ts'

export function methodRoutes(providers: Pick<Providers, 'list'>): Route[] {
  const { list } = providers
  const limits = [{ per: 'account' as const, count: 60, seconds: 60 }]
  const adding = [{ per: 'account' as const, count: 10, seconds: 60 }]
  const methods = list.map(offerOf)
  const at = { names: list.map(({ name }) => name), modes: list.map(({ mode }) => mode) }
  const read = async (pool: pg.Pool, userId: string): Promise<Methods> => {
    const [saved, choice] = await Promise.all([
      listWallets(pool, { userId, ...at }),
      findDefault(pool, { userId, ...at }).then(only),
    ])
    return { methods, saved: saved.map(toSaved), choice: { method: choice.provider, walletId: choice.walletId } }
  }
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
      // the member removed the method in the meantime
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

const toSaved = ({ id, provider, label, createdAt }: ListWalletsRow): SavedMethod => ({
  ...{ id, method: provider, label },
  keptSince: createdAt.toISOString(),
})
