import { type Currency, USD } from './currency.rules.ts'

// The currency of this device with its last rate, so that the first prices of a visit do not change before one's eyes.

const KEY = 'currency'
const watchers = new Set<() => void>()
let shown = read()

function read(): Currency {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Currency | null
    return kept && typeof kept.symbol === 'string' && kept.rate > 0 ? kept : USD
  } catch {
    return USD
  }
}

export const shownCurrency = (): Currency => shown

export function watchCurrency(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

export function showCurrency(currency: Currency, { isKept = true } = {}) {
  if (shown.code === currency.code && shown.rate === currency.rate) return
  shown = currency
  try {
    if (isKept) localStorage.setItem(KEY, JSON.stringify(currency))
  } catch {
    // storage is closed: it lasts as long as the page
  }
  for (const tell of watchers) tell()
}
