import { deviceStorage } from '../kit/storage.client.ts'
import { query, queryClient } from '../kit/query/query.client.ts'
import { currencyOf, pickCurrency } from './currencies.rules.ts'
import { USD } from './currency.rules.ts'
import { showCurrency } from './currency.client.ts'
import { getLocation, getRates } from './localisation.contract.ts'

// Looks up the shopper's country and the rate of its currency. Loaded after the first paint.

const CHOICE = 'currency-choice'
const PLACE = 'location'

/** The currency chosen on this device; null follows the country. */
export const chosenCode = () => deviceStorage.read(CHOICE)

export async function chooseCurrency(code: string | null) {
  deviceStorage.write(CHOICE, code)
  await followCurrency({ chosen: code })
}

/** Shows the chosen currency or that of the country, or dollars if that fails. `whenMoved` reports a new location. */
export async function followCurrency({ chosen = chosenCode(), whenMoved = () => {} } = {}) {
  try {
    const { country_code: country, city, isKnown } = await queryClient.fetchQuery(query(getLocation, {}))
    // a failed lookup is not a move
    if (isKnown !== false && hasMoved(`${country}:${city}`)) whenMoved()
    const code = chosen ?? currencyOf(country)
    if (code === USD.code) return showCurrency(USD)
    const { rates } = await queryClient.fetchQuery(query(getRates, {}))
    showCurrency(pickCurrency(code, rates))
  } catch {
    // not stored, because leaving the page also aborts requests: the next visit starts with the last known rate
    showCurrency(USD, { isKept: false })
  }
}

/** Stores the last `country:city`. Returns true if it replaced another value, but not if the storage is full. */
function hasMoved(place: string): boolean {
  const before = deviceStorage.read(PLACE)
  return deviceStorage.write(PLACE, place) && before !== null && before !== place
}
