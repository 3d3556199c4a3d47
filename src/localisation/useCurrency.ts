import { useSyncExternalStore } from 'react'
import type { Currency } from './currency.rules.ts'
import { shownCurrency, watchCurrency } from './currency.client.ts'

/** The currency prices are shown in. What is charged is always USD. */
export const useCurrency = (): Currency => useSyncExternalStore(watchCurrency, shownCurrency)
