import { deviceStorage } from '../kit/storage.client.ts'
import { createStore } from '../kit/store.client.ts'
import { useSyncExternalStore } from 'react'
import { type Currency, USD } from './currency.rules.ts'

const KEY = 'currency'

/** The currency of this device with its last rate, so that the first prices of a visit do not flicker. */
export const currency = createStore(read())

export const useCurrency = (): Currency => useSyncExternalStore(currency.watch, currency.read, () => first)

let first = USD

export function drawCurrency(given: Currency) {
  first = given
}

function read(): Currency {
  const kept = deviceStorage.readJson(KEY) as Currency | null
  return typeof kept?.symbol === 'string' && kept.rate > 0 ? kept : USD
}

export function showCurrency(next: Currency, { isKept = true } = {}) {
  if (isKept) {
    deviceStorage.writeJson(KEY, next)
    // the cookie has no rate, because the server renders pages with its own rate
    const secure = location.protocol === 'https:' ? '; secure' : ''
    document.cookie = `${KEY}=${next.code}; path=/; max-age=31536000; samesite=lax${secure}`
  }
  const { code, rate } = currency.read()
  if (code !== next.code || rate !== next.rate) currency.set(next)
}
