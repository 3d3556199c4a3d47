import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { MAIN_METHOD, methodLabel } from '../methods.ts'
import { chooseMethod, listMethods, type MethodChoice, type Methods } from './methods.contract.ts'

export const methodsQuery = query(listMethods, {})

const names = () => htmlData().methods ?? MAIN_METHOD

export const hasChoice = (): boolean => names().includes(',')

export type PayMethod = { name: string; label: string; step: Methods['methods'][number]['step']; isSandbox: boolean }

/** Before the methods are known, a press pays with the main one. */
const MAIN: PayMethod = { name: MAIN_METHOD, label: methodLabel(MAIN_METHOD), step: 'window', isSandbox: false }

export function chosenOf(data: Methods | undefined) {
  const { choice, methods = [], saved = [] } = data ?? {}
  const method: PayMethod = methods.find(({ name }) => name === choice?.method) ?? methods[0] ?? MAIN
  const own = saved.filter((one) => one.method === method.name)
  return { method, wallet: own.find(({ id }) => id === choice?.walletId) ?? own[0] }
}

/** The method of an order that waits, also while the methods are read; otherwise the chosen one. */
export function methodOf(data: Methods | undefined, own: string | null | undefined): PayMethod {
  const known = data?.methods.find(({ name }) => name === own)
  if (known) return known
  const isOffered = own && own !== MAIN_METHOD && names().split(',').includes(own)
  if (data || !isOffered) return chosenOf(data).method
  // only the main method has a window of its own
  return { name: own, label: methodLabel(own), step: 'page', isSandbox: false }
}

/** Loads saved methods only if the shop offers a second payment method. */
export const useMethods = (isNeeded = names() !== MAIN_METHOD) => useQuery({ ...methodsQuery, enabled: isNeeded })

/** Takes effect at once. If the server does not hear of it, only the next visit starts with another default. */
export function choose(cache: QueryClient, choice: MethodChoice) {
  cache.setQueryData<Methods>(methodsQuery.queryKey, (data) => data && { ...data, choice })
  // the shopper may leave the page at once
  const options = { fetch: (path: RequestInfo | URL, init?: RequestInit) => fetch(path, { ...init, keepalive: true }) }
  call(chooseMethod, choice, options).catch(() => undefined)
}
