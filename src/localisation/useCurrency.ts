import { useStore } from '../kit/store.client.ts'
import { currency } from './currency.client.ts'
import type { Currency } from './currency.rules.ts'

/** The currency of the prices on screen. The store charges in USD. */
export const useCurrency = (): Currency => useStore(currency)
