import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call, fetchUsed } from '../../kit/call.client.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { MAIN_METHOD, methodLabel } from '../methods.ts'
import { chooseMethod, listMethods, type MethodChoice, type Methods } from './methods.contract.ts'

export const methodsQuery = query(listMethods, {})

const names = () => htmlData().methods ?? MAIN_METHOD

export const hasChoice = (): boolean => names().includes(',')

export type PayMethod = { name: string; label: string; step: Methods['methods'][number]['step']; isSandbox: boolean }

/** The method of a payment until the methods are loaded. */
const MAIN: PayMethod = { name: MAIN_METHOD, label: methodLabel(MAIN_METHOD), step: 'window', isSandbox: false }

export function chosenOf(data: Methods | undefined) {
  const { choice, methods = [], saved = [] } = data ?? {}
  const method: PayMethod = methods.find(({ name }) => name === choice?.method) ?? methods[0] ?? MAIN
  const own = saved.filter((one) => one.method === method.name)
  return { method, wallet: own.find(({ id }) => id === choice?.walletId) ?? own[0] }
}

/** Returns the method of a pending order, even while the methods load. Without an order, returns the chosen method. */
export function methodOf(data: Methods | undefined, own: string | null | undefined): PayMethod {
  const known = data?.methods.find(({ name }) => name === own)
  if (known) return known
  const isOffered = own && own !== MAIN_METHOD && names().split(',').includes(own)
  if (data || !isOffered) return chosenOf(data).method
  // only the main method opens a window
  return { name: own, label: methodLabel(own), step: 'page', isSandbox: false }
}

/** Loads saved methods only if the shop offers a second payment method. */
export const useMethods = (isNeeded = names() !== MAIN_METHOD) => useQuery({ ...methodsQuery, enabled: isNeeded })

/** Updates the cache at once. If the request fails, only the default of the next visit is wrong. */
export function choose(cache: QueryClient, choice: MethodChoice) {
  cache.setQueryData<Methods>(methodsQuery.queryKey, (data) => data && { ...data, choice })
  // `keepalive`: the shopper may leave the page before the request ends
  const options = {
    fetch: (path: RequestInfo | URL, init?: RequestInit) => fetchUsed(path, { ...init, keepalive: true }),
  }
  call(chooseMethod, choice, options).catch(() => undefined)
}
