import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Product, suggestProducts } from '../../catalogue/catalogue.contract.ts'
import { hasWords } from '../../catalogue/shelf/pick.rules.ts'
import { pageQuery, useCategories } from '../../catalogue/useCatalogue.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatPrice } from '../../localisation/currency.rules.ts'
import { useCurrency } from '../../localisation/currency.client.ts'
import { useOrders } from '../../purchases/useOrders.ts'
import {
  categoryEntries,
  type Entry,
  orderEntries,
  pageActions,
  productEntries,
  recentEntries,
  searchEntry,
} from './palette.rules.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { THEMES } from '../../account/preferences/preferences.rules.ts'
import { usePreferences } from '../../account/preferences/preferences.client.ts'

const DEBOUNCE_MS = 150

export function usePaletteEntries(typed: string, recent: string[]): Entry[] {
  const { data: categories = [] } = useCategories()
  const { orders } = useOrders()
  const currency = useCurrency()
  const actions = useActions()
  const { found, suggested } = useProductsFor(typed)
  const priceOf = (usd: string) => formatPrice(toCents(usd), currency)
  if (!typed) return [...recentEntries(recent), ...actions]
  return [
    ...productEntries('Did you mean', suggested, priceOf),
    searchEntry(typed),
    ...productEntries('Products', found, priceOf),
    ...categoryEntries(categories, typed),
    ...orderEntries(orders, typed),
    ...actions.filter(({ label }) => hasWords(label, typed)),
  ]
}

function useProductsFor(typed: string): Record<'found' | 'suggested', Product[]> {
  const q = useSettled(typed, DEBOUNCE_MS, '')
  const { data } = useQuery({
    ...pageQuery({ limit: 6, q }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const found = q && data ? data.items : []
  const isNothing = q !== '' && data?.total === 0
  const { data: suggestions } = useQuery({ ...query(suggestProducts, { q }), enabled: isNothing })
  return { found, suggested: (isNothing && suggestions?.products) || [] }
}

function useActions(): Entry[] {
  const { mode, theme } = usePreferences().preferences
  return [
    { id: 'add', group: 'Actions', label: 'Add Product', does: 'add-product' },
    ...pageActions,
    {
      id: 'mode',
      group: 'Actions',
      label: mode === 'dark' ? 'Switch to light mode' : 'Switch to dark mode',
      does: 'switch-mode',
    },
    ...THEMES.filter(({ id }) => id !== theme).map(({ id, name }): Entry => ({
      id: `theme ${id}`,
      group: 'Actions',
      label: `Theme ${name}`,
      does: `theme:${id}`,
    })),
    { id: 'out', group: 'Actions', label: 'Sign Out', does: 'sign-out' },
  ]
}
