import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { pageQuery, useCategories } from '../../catalogue/useCatalogue.ts'
import { toCents } from '../../kit/money.ts'
import { formatPrice } from '../../localisation/currency.rules.ts'
import { useCurrency } from '../../localisation/currency.client.ts'
import { useOrders } from '../../orders/useOrders.ts'
import {
  categoryEntries,
  type Entry,
  hasWords,
  orderEntries,
  pageActions,
  productEntries,
  recentEntries,
  searchEntry,
} from './palette.rules.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { THEMES } from '../../account/preferences/preferences.rules.ts'
import { usePreferences } from '../../account/preferences/preferences.client.ts'

/** How long typing rests before the request, in milliseconds. */
const REST = 150

export function usePaletteEntries(typed: string, recent: string[]): Entry[] {
  const { data: categories = [] } = useCategories()
  const { orders } = useOrders()
  const currency = useCurrency()
  const actions = useActions()
  const products = useProductsFor(typed)
  if (!typed) return [...recentEntries(recent), ...actions]
  return [
    searchEntry(typed),
    ...productEntries(products, (usd) => formatPrice(toCents(usd), currency)),
    ...categoryEntries(categories, typed),
    ...orderEntries(orders, typed),
    ...actions.filter(({ label }) => hasWords(label, typed)),
  ]
}

function useProductsFor(typed: string) {
  const q = useSettled(typed, REST, '')
  const { data } = useQuery({
    ...pageQuery({ limit: 6, q }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  return q && data ? data.items : []
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
