// Parses the price in a typed search: 'ebook under $5' -> the words 'ebook' and the filter '0-5'.

const NUMBERS: Record<string, number> = Object.fromEntries(
  Object.entries({ five: 5, ten: 10, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50 }).concat(
    Object.entries({ sixty: 60, seventy: 70, eighty: 80, ninety: 90, hundred: 100 }),
  ),
)
const NUMBER = `(?:\\d{1,6}(?:[.,]\\d{1,2})?|${Object.keys(NUMBERS).join('|')})`
const CURRENCY = '(?:\\$|dollars?\\b|bucks?\\b|usd\\b)'
const AMOUNT = `(?:us)?\\$? ?(${NUMBER})(?![\\p{L}\\p{N}%°"]|[.,]\\d)(?: ?${CURRENCY})?`
/** Excludes numbers with a unit, which are not prices: 'under 10 minutes'. */
const NO_UNIT =
  '(?! ?-?(?:min|sec|hour|day|week|month|year|page|word|chapter|lesson|track|song|loop|sample|step|people|person|player|device|seat|point|star|mile|meter|metre|calorie|[kmgt]b\\b|px\\b|km\\b|cm\\b|mm\\b|bpm\\b|k?hz\\b))'
const YEAR = '(?:19|20)\\d\\d(?![\\p{L}\\p{N}]|[.,]\\d)'
const PRICED = `(?! ?${YEAR}(?! ?${CURRENCY}))${AMOUNT}${NO_UNIT}`
/** Requires a currency after words that titles contain: 'postcards from 1985', '3ds max 2024'. */
const MONEY = `(?=(?:us)?\\$|${NUMBER} ?${CURRENCY})${AMOUNT}`

type Bounds = { from?: number; below?: number }
const CENT = 0.01

const pattern = (text: string) => new RegExp(`(?<![\\p{L}\\p{N}])${text}`, 'iu')

const PHRASES: [RegExp, (a: number, b: number) => Bounds][] = [
  [pattern(`between ${PRICED} ?(?:and|to|-|–) ?${PRICED}`), between],
  [pattern(`from ${MONEY} ?(?:and|to|-|–) ?${PRICED}`), between],
  [pattern(`from ${PRICED} ?(?:and|to|-|–) ?${MONEY}`), between],
  [pattern(`(?=\\$|\\S+ ?(?:-|–|to) ?\\$)${PRICED} ?(?:-|–|to) ?${PRICED}`), between],
  [pattern(`(?:no|not) (?:more|over|above) (?:than )?${PRICED}`), (most) => ({ below: most + CENT })],
  [pattern(`(?:no|not) (?:less|under|below) (?:than )?${PRICED}`), (from) => ({ from })],
  [pattern(`(?:up to|at most) ${PRICED}`), (most) => ({ below: most + CENT })],
  [pattern(`(?:max|maximum|within) ${MONEY}`), (most) => ({ below: most + CENT })],
  [pattern(`(?:<=|≤) ?${PRICED}`), (most) => ({ below: most + CENT })],
  [pattern(`(?:>=|≥) ?${PRICED}`), (from) => ({ from })],
  [pattern(`(?:under|below|(?:less|cheaper|lower) than) ${PRICED}`), (below) => ({ below })],
  [pattern(`< ?${PRICED}`), (below) => ({ below })],
  [pattern(`(?:over|above|(?:more|greater|higher) than) ${PRICED}`), (over) => ({ from: over + CENT })],
  [pattern(`> ?${PRICED}`), (over) => ({ from: over + CENT })],
  [pattern(`(?:at least|starting at) ${PRICED}`), (from) => ({ from })],
  [pattern(`(?:from|min|minimum) ${MONEY}`), (from) => ({ from })],
  [pattern(`${PRICED} (?:or|and) (?:less|under|below|cheaper)\\b`), (most) => ({ below: most + CENT })],
  [pattern(`${PRICED} (?:or|and) (?:more|over|above|up)\\b`), (from) => ({ from })],
]
const EXACT = [pattern(`\\$ ?(${NUMBER})(?![\\p{L}\\p{N}]|[.,]\\d)`), pattern(`(${NUMBER}) ?${CURRENCY}`)]
// operators of websearch_to_tsquery
const QUOTED = /"/

function between(a: number, b: number): Bounds {
  return { from: Math.min(a, b), below: Math.max(a, b) + CENT }
}

const valueOf = (text = '') => NUMBERS[text.toLowerCase()] ?? Number(text.replace(',', '.'))

const asText = (dollars: number) => (Number.isInteger(dollars) ? `${dollars}` : dollars.toFixed(2))
const rangeOf = ({ from = 0, below }: Bounds) => `${asText(from)}-${below === undefined ? '' : asText(below)}`

/**
 * `words` is the search without its price, `phrase` the removed part, `price` a price range. A price without a word
 * such as 'under' stays in `words`; `exactCents` ranks this price first. Quotes leave the search unchanged.
 */
export type PricedSearch = { words: string; phrase: string; price: string | null; exactCents: number | null }

export function readPrice(typed: string): PricedSearch {
  const text = typed.replace(/\s+/g, ' ').trim()
  const none = { words: text, phrase: '', price: null, exactCents: null }
  if (QUOTED.test(text)) return none
  for (const [phrase, boundsOf] of PHRASES) {
    const found = phrase.exec(text)
    if (!found) continue
    const price = rangeOf(boundsOf(valueOf(found[1]), valueOf(found[2])))
    return { ...without(text, found), phrase: found[0], price, exactCents: null }
  }
  for (const phrase of EXACT) {
    const found = phrase.exec(text)
    if (!found?.[1]) continue
    const value = valueOf(found[1])
    const words = `${text.slice(0, found.index)}${asText(value)}${text.slice(found.index + found[0].length)}`
    return { ...none, words, exactCents: Math.round(value * 100) }
  }
  return none
}

/** Removes the words that connect the price to the search: 'books for' -> 'books'. */
function without(text: string, { 0: phrase, index }: RegExpExecArray) {
  const before = text.slice(0, index).replace(/(?:^| )(?:for|at|that cost|costing|priced)? $/i, '')
  return { words: `${before} ${text.slice(index + phrase.length)}`.replace(/\s+/g, ' ').trim() }
}
