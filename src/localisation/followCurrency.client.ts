import { query, queryClient } from '../kit/query.client.ts'
import { currencyOf, pickCurrency } from './currencies.rules.ts'
import { USD } from './currency.rules.ts'
import { showCurrency } from './currency.client.ts'
import { getLocation, getRates } from './localisation.contract.ts'

// Loaded after the first paint: finds out where the customer is and what a dollar is worth there.

const CHOICE = 'currency-choice'
const PLACE = 'location'

/** The code somebody chose on this device, or null to follow the country. */
export function chosenCode(): string | null {
  try {
    return localStorage.getItem(CHOICE)
  } catch {
    return null
  }
}

/** Shows prices in `code`, or in the country's currency for null. */
export async function chooseCurrency(code: string | null) {
  try {
    if (code === null) localStorage.removeItem(CHOICE)
    else localStorage.setItem(CHOICE, code)
  } catch {
    // storage is closed: it lasts until the next choice
  }
  await followCurrency({ chosen: code })
}

/**
 * Shows the currency of the choice or the country; US dollars when anything fails. `whenMoved` hears of a country that is
 * not the one of the last visit.
 */
export async function followCurrency({ chosen = chosenCode(), whenMoved = () => {} } = {}) {
  try {
    const { country_code: country, city, isKnown } = await queryClient.fetchQuery(query(getLocation, {}))
    // a look-up that failed is no journey
    if (isKnown !== false && hasMoved(`${country}:${city}`)) whenMoved()
    const code = chosen ?? currencyOf(country)
    if (code === USD.code) return showCurrency(USD)
    const { rates } = await queryClient.fetchQuery(query(getRates, {}))
    showCurrency(pickCurrency(code, rates))
  } catch {
    // not kept: the next visit begins with what was known, and a page that is left ends its requests this way too
    showCurrency(USD, { isKept: false })
  }
}

/** Keeps the last known location, country:city; answers whether another one was known. */
function hasMoved(place: string): boolean {
  try {
    const before = localStorage.getItem(PLACE)
    localStorage.setItem(PLACE, place)
    return before !== null && before !== place
  } catch {
    return false
  }
}
