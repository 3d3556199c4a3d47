import type { Sort } from '../../catalogue/catalogue.contract.ts'
import { isEmptyWord, tokensOf } from './words.rules.ts'

// Parses the conditions of a question: price, category, sort order and order number. The other words are its topic.

/** In cents, inclusive. */
export type PriceRange = { from: number; to: number; aim?: number }
export type Asking = {
  price: PriceRange | null
  categoryId: string | null
  sort: Sort | null
  /** The last eight characters of an order's number. */
  order: string | null
  /** 'the second one' is 1; 'the last one' is -1. */
  nth: number | null
  /** The words that are not conditions. */
  topic: string[]
  isCheaper: boolean
}

const MAX = Number.MAX_SAFE_INTEGER
const AMOUNT = String.raw`(?:us)?\$?\s?(\d{1,6}(?:[.,]\d{1,2})?)\s?(?:\$|dollars?|usd|bucks?)?`
const cents = (typed: string) => Math.round(Number(typed.replace(',', '.')) * 100)
const match = (pattern: string, text: string) => new RegExp(pattern, 'i').exec(text)

type PriceReading = { price: PriceRange; said: string }

const PAID = /\b(?:not (?:for )?free|isn.?t free|non-?free)\b/i
const END = String.raw`(?![\d%])`
const BETWEEN = String.raw`(?:between|from)?\s*${AMOUNT}\s*(?:and|to|-|–)\s*${AMOUNT}${END}`
const EXACT = String.raw`\$\s?(\d{1,6}(?:[.,]\d{1,2})?)(?![\d%])|\b(\d{1,6}(?:[.,]\d{1,2})?)\s?(?:\$|dollars?|usd|bucks?)`
const BARE = String.raw`\b(?:for|about|with|of|is)\s(\d{1,6}(?:\.\d{1,2})?)(?!\s*[\p{L}%\d])`
const FREE = String.raw`\bfree\b(?!\s+(?:of|returns?|shipping))|\bgratis\b|for nothing`

/** Price phrases with their range; the first match wins. */
const LIMITS: [words: string, rangeOf: (amount: number, isPaid: boolean) => PriceRange][] = [
  ['under|below|less than|cheaper than|<', (amount, isPaid) => ({ from: isPaid ? 1 : 0, to: amount - 1 })],
  ['up to|at most|max(?:imum)?(?: of)?|not more than|no more than|within', (amount) => ({ from: 0, to: amount })],
  ['over|above|more than|>', (amount) => ({ from: amount + 1, to: MAX })],
  ['at least|from|min(?:imum)?(?: of)?', (amount) => ({ from: amount, to: MAX })],
  [
    'around|about|roughly|approximately|circa',
    (amount) => ({ from: Math.round(amount * 0.8), to: Math.round(amount * 1.2), aim: amount }),
  ],
]

function readBetween(text: string): PriceReading | null {
  const found = match(BETWEEN, text)
  if (!found || !/between|from|[-–]|\$|dollar|\bto\b/i.test(found[0])) return null
  const ends = [cents(found[1]!), cents(found[2]!)]
  return { price: { from: Math.min(...ends), to: Math.max(...ends) }, said: found[0] }
}

function readLimit(text: string): PriceReading | null {
  for (const [words, rangeOf] of LIMITS) {
    const found = match(String.raw`(?:${words})\s*${AMOUNT}${END}`, text)
    if (found) return { price: rangeOf(cents(found[1]!), PAID.test(text)), said: found[0] }
  }
  return null
}

function readExact(text: string, mayBeBare: boolean): PriceReading | null {
  const found = match(EXACT, text) ?? (mayBeBare ? match(BARE, text) : null)
  if (!found) return null
  const amount = cents(found[1] ?? found[2]!)
  return { price: { from: amount, to: amount }, said: found[0] }
}

function readFree(text: string): PriceReading | null {
  if (PAID.test(text)) return { price: { from: 1, to: MAX }, said: 'free' }
  const found = match(FREE, text)
  return found && { price: { from: 0, to: 0 }, said: found[0] }
}

/** Returns the price range in a text. Accepts a bare number only with `mayBeBare`. */
export const readPrice = (text: string, mayBeBare = false): PriceReading | null =>
  readBetween(text) ?? readLimit(text) ?? readExact(text, mayBeBare) ?? readFree(text)

const SORTS: [RegExp, Sort][] = [
  [/\b(?:cheapest|least expensive|lowest[- ]price[ds]?|lowest cost|cheap|inexpensive)\b/i, 'price-asc'],
  [/\b(?:most expensive|priciest|dearest|highest[- ]price[ds]?|most costly)\b/i, 'price-desc'],
  [/\b(?:newest|latest|most recent|brand new|just added|new products|new in|new arrivals)\b/i, 'newest'],
  [/\b(?:best|top|highest|better)[- ]?(?:rated|reviewed|rating|reviews|stars?)\b/i, 'rating'],
  [/\b(?:most popular|popular|best[- ]?sell(?:ers?|ing)|most bought|trending)\b/i, 'popular'],
]

const NTH: [RegExp, number][] = [
  [/\b(?:first|1st)\s+(?:one|product|item|of)\b|\bthe first\b(?!\s+(?:purchase|order|paid))/i, 0],
  [/\b(?:second|2nd)\b(?!\s+factor)/i, 1],
  [/\b(?:third|3rd)\b/i, 2],
  [/\blast one\b/i, -1],
]

/** Words that mean a category, in addition to its name. */
const ALIASES: Record<string, RegExp> = {
  'gift-cards': /\bgift ?cards?\b/i,
  crypto: /\bcrypto(?:currenc(?:y|ies))?\b/i,
  prepaid: /\bprepaid\b|\bvisa cards?\b/i,
  ebooks: /\be-?books?\b|\bbooks?\b/i,
  courses: /\bcourses?\b/i,
  software: /\bsoftware\b/i,
  audio: /\baudio\b|\bsounds?\b(?! like)/i,
}

export type CategoryName = { id: string; name: string }

/** Matches the name of a category, which may contain punctuation: 'C++'. A final 's' is optional. */
const named = (name: string) => {
  const own = RegExp.escape(name.replace(/s$/, ''))
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${own}${name.endsWith('s') ? 's?' : ''}(?![\p{L}\p{N}])`, 'iu')
}

const NUMBERS: Record<string, number> = {
  ...{
    five: 5,
    ten: 10,
    fifteen: 15,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
  },
  ...{ 'a hundred': 100, 'one hundred': 100, hundred: 100 },
}
const SPELT = new RegExp(
  String.raw`\b(?<=\b(?:under|below|over|above|than|to|most|least|around|about|for|within) )(${Object.keys(NUMBERS).join('|')})\b|\b(${Object.keys(NUMBERS).join('|')})(?= (?:dollars?|bucks?|usd)\b)`,
  'gi',
)
/** 'under fifty' -> 'under 50' */
const withDigits = (text: string) => text.replace(SPELT, (word) => String(NUMBERS[word.toLowerCase()]))

const STARS = /\b(?:[1-5]|one|two|three|four|five)[- ]stars?\b/i
const CHEAPER =
  /\bcheaper\b(?! than \d)|\bless expensive\b|\blower price|\btoo (?:expensive|pricey|dear|costly|much)\b|\b(?:ca?n.?t|cannot) afford\b/i

/** Returns the last eight characters of an order's number, which contain a digit. */
function readOrderNumber(text: string): string | null {
  const found = /(?:^|[\s#])([0-9a-f]{8})(?=[\s?!.,]|$)/i.exec(text)?.[1]
  return found !== undefined && /\d/.test(found) ? found : null
}

type Taken<Value> = { value: Value | null; rest: string }

/** Returns the value of the first entry whose words occur, and the text without them. */
function take<Value>(entries: [words: RegExp, value: Value][], text: string): Taken<Value> {
  const [words, value] = entries.find(([each]) => each.test(text)) ?? []
  return words && value !== undefined ? { value, rest: text.replace(words, ' ') } : { value: null, rest: text }
}

function takeOrderNumber(text: string): Taken<string> {
  const value = readOrderNumber(text)
  return { value, rest: value === null ? text : text.replace(value, ' ') }
}

function takeCategory(categories: CategoryName[], text: string): Taken<string> {
  const found = categories.find(({ id, name }) => named(name).test(text) || ALIASES[id]?.test(text))
  if (!found) return { value: null, rest: text }
  return { value: found.id, rest: text.replace(ALIASES[found.id] ?? named(found.name), ' ') }
}

export function readAsking(given: string, categories: CategoryName[], { mayBeBare = false } = {}): Asking {
  const typed = withDigits(given)
  const order = takeOrderNumber(` ${typed} `.replace(PAID, ' ').replace(STARS, ' '))
  const found = readPrice(typed, mayBeBare)
  const sort = take(SORTS, found ? order.rest.replace(found.said, ' ') : order.rest)
  const nth = take(NTH, sort.rest)
  const category = takeCategory(categories, nth.rest)
  return {
    price: found?.price ?? null,
    categoryId: category.value,
    sort: sort.value,
    order: order.value?.toLowerCase() ?? null,
    nth: nth.value,
    topic: tokensOf(category.rest).filter((word) => !isEmptyWord(word) && !NO_TOPIC.has(word)),
    isCheaper: CHEAPER.test(category.rest),
  }
}

/** Words in product questions that are not a topic. */
const NO_TOPIC = new Set(
  `cheap cheaper price prices cost costs product products item items buy buying purchase money dollar dollars usd option
  options kind kinds type available list find offer offers anyone somebody idea ideas good nice great best better different
  similar alternatives alternative expensive only less stuff present presents gift gifts lover lovers person people learn
  rated rating reviews selling pay want wanted today explained love loves loved enjoy enjoys fond keen birthday christmas
  mother mum mom father dad parents sister brother nephew niece uncle aunt cousin son daughter friend friends husband wife
  boyfriend girlfriend partner boss colleague grandmother grandma grandfather grandpa neighbour neighbor expensive pricey
  dear price afford author writer teacher maker artist creator speaker publisher seller`.split(/\s+/),
)

const LEADS =
  /^(?:and|or|but|ok(?:ay)?|so|only|just|too (?:expensive|pricey|dear|costly|much)|how much(?=\W*$)|what about|how about|in|under|over|below|cheaper|anything (?:else|cheaper)|something (?:else|cheaper|calm)|the (?:first|second|third|last|cheapest|most|price|one)|which|both|do you have one|who sells it|more|compare (?:the (?:first|last|two|three)|them|these|those|both|all))\b/i
/** 'tell me about the first' */
const NAMES_PLACE = /\bthe (?:first|second|third|last)(?: (?:one|product|item))?\W*$/i
const REFERS = /\b(?:it|its|they|them|that|those|this|these|one|ones|there|he|she|similar|the difference)\b/i

/** Returns true if the message may be a follow-up. */
export const goesOn = (text: string): boolean => LEADS.test(text.trim()) || REFERS.test(text) || NAMES_PLACE.test(text)
export const beginsAgain = (text: string): boolean => /^(?:and|what about|how about|in|only|or)\b/i.test(text.trim())
/** 'and the picture?' asks about a part of the last answer. */
export const asksForPart = (text: string): boolean =>
  /^(?:and|or|what about|how about) (?:the|a|an|my|for|if|when|with|without)\b/i.test(text.trim())
/** 'or with crypto?' */
export const asksOr = (text: string): boolean => /^(?:and|or) (?:with|by|from|in|for|on)\b/i.test(text.trim())
export const hasCondition = ({ sort, price, categoryId }: Asking): boolean =>
  sort !== null || price !== null || categoryId !== null
