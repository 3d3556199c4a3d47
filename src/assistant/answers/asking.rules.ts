import type { Sort } from '../../catalogue/catalogue.contract.ts'
import { isEmptyWord, tokensOf } from './words.rules.ts'

// Reads the conditions of a question: price, category, order of the answers, the order meant. The rest is its topic.

/** In cents; both ends count. */
export type PriceRange = { from: number; to: number; aim?: number }
export type Asking = {
  price: PriceRange | null
  /** The name of a category that the question names. */
  categoryId: string | null
  sort: Sort | null
  /** The last eight characters of an order's number. */
  order: string | null
  /** 'the second one' is 1; 'the last one' is -1. */
  nth: number | null
  /** Words that are no condition. */
  topic: string[]
  isCheaper: boolean
}

const MAX = Number.MAX_SAFE_INTEGER
const AMOUNT = String.raw`(?:us)?\$?\s?(\d{1,6}(?:[.,]\d{1,2})?)\s?(?:\$|dollars?|usd|bucks?)?`
const cents = (typed: string) => Math.round(Number(typed.replace(',', '.')) * 100)
const match = (pattern: string, text: string) => new RegExp(pattern, 'i').exec(text)

/** The range of prices that a text names. A bare number counts only where `mayBeBare`. */
export function readPrice(text: string, mayBeBare = false): { price: PriceRange; said: string } | null {
  const between = match(String.raw`(?:between|from)?\s*${AMOUNT}\s*(?:and|to|-|–)\s*${AMOUNT}(?![\d%])`, text)
  if (between && /between|from|[-–]|\$|dollar|\bto\b/i.test(between[0])) {
    const [from, to] = [cents(between[1]!), cents(between[2]!)]
    return { price: { from: Math.min(from, to), to: Math.max(from, to) }, said: between[0] }
  }
  const isPaid = /\b(?:not (?:for )?free|isn.?t free|non-?free)\b/i.test(text)
  const below = match(String.raw`(?:under|below|less than|cheaper than|<)\s*${AMOUNT}(?![\d%])`, text)
  if (below) return { price: { from: isPaid ? 1 : 0, to: cents(below[1]!) - 1 }, said: below[0] }
  const most = match(
    String.raw`(?:up to|at most|max(?:imum)?(?: of)?|not more than|no more than|within)\s*${AMOUNT}(?![\d%])`,
    text,
  )
  if (most) return { price: { from: 0, to: cents(most[1]!) }, said: most[0] }
  const above = match(String.raw`(?:over|above|more than|>)\s*${AMOUNT}(?![\d%])`, text)
  if (above) return { price: { from: cents(above[1]!) + 1, to: MAX }, said: above[0] }
  const least = match(String.raw`(?:at least|from|min(?:imum)?(?: of)?)\s*${AMOUNT}(?![\d%])`, text)
  if (least) return { price: { from: cents(least[1]!), to: MAX }, said: least[0] }
  const near = match(String.raw`(?:around|about|roughly|approximately|circa)\s*${AMOUNT}(?![\d%])`, text)
  if (near) {
    const middle = cents(near[1]!)
    return { price: { from: Math.round(middle * 0.8), to: Math.round(middle * 1.2), aim: middle }, said: near[0] }
  }
  const exact = match(
    String.raw`\$\s?(\d{1,6}(?:[.,]\d{1,2})?)(?![\d%])|\b(\d{1,6}(?:[.,]\d{1,2})?)\s?(?:\$|dollars?|usd|bucks?)`,
    text,
  )
  const bare = mayBeBare
    ? match(String.raw`\b(?:for|about|with|of|is)\s(\d{1,6}(?:\.\d{1,2})?)(?!\s*[\p{L}%\d])`, text)
    : null
  const found = exact ?? bare
  if (found) {
    const amount = cents(found[1] ?? found[2]!)
    return { price: { from: amount, to: amount }, said: found[0] }
  }
  if (isPaid) return { price: { from: 1, to: MAX }, said: 'free' }
  const free = match(String.raw`\bfree\b(?!\s+(?:of|returns?|shipping))|\bgratis\b|for nothing`, text)
  return free ? { price: { from: 0, to: 0 }, said: free[0] } : null
}

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

/** Words that name a category beside its own name. */
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

/** Finds the name of a category, which may hold any sign: 'C++'. An 's' at its end may be missing. */
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

export function readAsking(given: string, categories: CategoryName[], { mayBeBare = false } = {}): Asking {
  const typed = withDigits(given)
  let rest = ` ${typed} `
  const drop = (said: string) => (rest = rest.replace(said, ' '))
  drop(/\b(?:not (?:for )?free|isn.?t free|non-?free)\b/i.exec(rest)?.[0] ?? '')
  drop(/\b(?:[1-5]|one|two|three|four|five)[- ]stars?\b/i.exec(rest)?.[0] ?? '')
  const order = /(?:^|[\s#])([0-9a-f]{8})(?=[\s?!.,]|$)/i.exec(rest)?.[1] ?? null
  if (order && /\d/.test(order)) drop(order)
  const found = readPrice(typed, mayBeBare)
  if (found) drop(found.said)
  const sort = SORTS.find(([words]) => words.test(rest)) ?? null
  if (sort) rest = rest.replace(sort[0], ' ')
  const nth = NTH.find(([words]) => words.test(rest)) ?? null
  if (nth) rest = rest.replace(nth[0], ' ')
  const category = categories.find(({ id, name }) => named(name).test(rest) || ALIASES[id]?.test(rest))
  if (category) rest = rest.replace(ALIASES[category.id] ?? named(category.name), ' ')
  const isCheaper =
    /\bcheaper\b(?! than \d)|\bless expensive\b|\blower price|\btoo (?:expensive|pricey|dear|costly|much)\b|\b(?:ca?n.?t|cannot) afford\b/i.test(
      rest,
    )
  return {
    price: found?.price ?? null,
    categoryId: category?.id ?? null,
    sort: sort?.[1] ?? null,
    order: order && /\d/.test(order) ? order.toLowerCase() : null,
    nth: nth?.[1] ?? null,
    topic: tokensOf(rest).filter((word) => !isEmptyWord(word) && !NO_TOPIC.has(word)),
    isCheaper,
  }
}

/** Words of questions about products that name none. */
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

/** The message may go on with what was said before. */
export const goesOn = (text: string): boolean => LEADS.test(text.trim()) || REFERS.test(text) || NAMES_PLACE.test(text)
export const beginsAgain = (text: string): boolean => /^(?:and|what about|how about|in|only|or)\b/i.test(text.trim())
/** 'and the picture?' names a part of what was said. */
export const asksForPart = (text: string): boolean =>
  /^(?:and|or|what about|how about) (?:the|a|an|my|for|if|when|with|without)\b/i.test(text.trim())
/** 'or with crypto?' */
export const asksOr = (text: string): boolean => /^(?:and|or) (?:with|by|from|in|for|on)\b/i.test(text.trim())
export const hasCondition = ({ sort, price, categoryId }: Asking): boolean =>
  sort !== null || price !== null || categoryId !== null
