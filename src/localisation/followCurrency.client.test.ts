import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../kit/query/query.client.ts'
import { currency } from './currency.client.ts'
import { chooseCurrency, followCurrency } from './followCurrency.client.ts'

const kept = new Map<string, string>()
const page = { cookie: '' }
const whenMoved = vi.fn<() => void>()
let place: object | null
let rates: Record<string, number>

beforeEach(() => {
  kept.clear()
  whenMoved.mockReset()
  rates = { USD: 1, EUR: 0.5, JPY: 150 }
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.endsWith('/rates')) return new Response(JSON.stringify({ base: 'USD', rates, updatedAt: null }))
    if (!place) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(place))
  })
})

/** Simulates a visit from a country. Null: the lookup fails. */
async function visit(country: string | null, isKnown = true) {
  queryClient.clear()
  place = country ? { country_code: country, country_name: country, city: '', ip: '', isKnown } : null
  await followCurrency({ whenMoved })
  return currency.read().code
}

test('reports a move for another country than last time, but not for a failed lookup', async () => {
  expect(await visit('DE')).toBe('EUR')
  expect(await visit('US', false)).toBe('USD')
  expect(await visit(null)).toBe('USD')
  expect(await visit('DE')).toBe('EUR')
  expect(whenMoved).not.toHaveBeenCalled()
  expect(kept.get('location')).toBe('DE:')
  expect(await visit('JP')).toBe('JPY')
  expect(whenMoved).toHaveBeenCalledTimes(1)
})

test('reports no move if the storage is full, because the report would repeat at each visit', async () => {
  await visit('DE')
  vi.stubGlobal('localStorage', {
    ...localStorage,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(await visit('JP')).toBe('JPY')
  expect(whenMoved).not.toHaveBeenCalled()
})

test('shows dollars without a rate, and a chosen currency overrides the country', async () => {
  rates = { USD: 1 }
  expect(await visit('DE')).toBe('USD')
  rates = { USD: 1, EUR: 0.5, JPY: 150 }
  queryClient.clear()
  await chooseCurrency('JPY')
  expect(currency.read()).toEqual({ code: 'JPY', symbol: '¥', rate: 150 })
  // a device that has stored its currency but has no cookie gets one
  page.cookie = ''
  expect(await visit('DE')).toBe('JPY')
  expect(page.cookie).toMatch(/^currency=JPY; .*; secure$/)
  expect(whenMoved).not.toHaveBeenCalled()
})
