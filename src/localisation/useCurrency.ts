import { type Currency, USD } from './currency.rules.ts'

/** The currency prices are shown in. What is charged is always USD. */
export const useCurrency = (): Currency => USD
