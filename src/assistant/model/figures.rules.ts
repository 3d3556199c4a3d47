import { toCents } from '../../kit/money.ts'

// The figures of a sentence, read from digits and from words: amounts of money, shares and ratings.

/** A figure and its place. Null: it means a price or a share, but no exact one, or one in another currency. */
export type Figure = { at: number; said: string; value: number | null }

const ONES = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  .concat(' seventeen eighteen nineteen')
  .split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const WORD = `(?:${[...ONES, ...TENS].join('|')}|hundred|thousand|million|dozen|half|quarter|couple|few|several|some)`
const WORDS = String.raw`\b(?:an?[\s-]+)?${WORD}(?:[\s-]+(?:and[\s-]+)?(?:an?[\s-]+)?${WORD})*(?:\s+of)?`
const DIGITS = String.raw`(?:\d[\d.,]*\d|\d|\.\d+)`
const OWN_MONEY = String.raw`(?:(?:US|U\.S\.|American)[\s-]*)?(?:dollars?|bucks?|usd|cents?|pennies|penny)\b`
const FOREIGN_MONEY = String.raw`(?:euros?|eur|pounds?|gbp|quid|yen|jpy|francs?|chf|rupees?|inr|btc|eth|ltc|sol|usdc|usdt|sats?)\b`
const SIGN = String.raw`(?:[A-Z]{1,2})?\p{Sc}`
const MANY = String.raw`(?:\s?(?:k|m|thousand|million|hundred)\b)?`
const TAIL = String.raw`(?:\s?[-–—/]\s?${DIGITS})?`
const COSTS = String.raw`(?:costs?|costing|cost you|priced at|(?:price|total|amount)(?: is| was| of|:)|it(?: is| was|['’]s)|sells? for|sold for|pay|paid|charged?|for (?:only|just)|now only)`
const ABOUT = String.raw`(?:\s+(?:only|just|about|around|now|you|at|roughly|under|over))*`

const AMOUNT = new RegExp(
  [
    String.raw`(?:${SIGN}|\b(?:USD|EUR|GBP|CHF)\b)\s?${DIGITS}${TAIL}${MANY}(?:\s?${OWN_MONEY})?`,
    String.raw`${DIGITS}${TAIL}${MANY}[\s-]?(?:\p{Sc}|${OWN_MONEY}|${FOREIGN_MONEY})`,
    String.raw`(?:${WORDS}|\ban?|\bone)[\s-]+(?:${OWN_MONEY}|euros?\b|pounds?\b|quid\b)`,
    String.raw`\d+(?:[.,]\d+)+`,
    String.raw`(?<=\b${COSTS}${ABOUT}\s+)(?:${DIGITS}|${WORDS})(?=\s*(?:$|[^\s\p{L}\p{N}%-]|and\b|or\b|instead\b|now\b|today\b|only\b|each\b|in all\b))`,
    // 'Salt and Time: 3'
    String.raw`(?<=[:–—]\s*)\d+(?=\s*[.!]?\s*$)`,
    String.raw`(?<!\bfeel\s)(?<![\p{L}]-)\bfree\b(?!-)|\b(?:for|pay) nothing\b|\bon (?:the house|us)\b|\bcosts? (?:you )?nothing\b|\bgratis\b|\b(?:no|without) (?:cost|charge)\b|\bcomplimentary\b`,
    String.raw`\b(?:half|third|quarter|fraction)[\s-]+(?:off|price|of (?:the|its|that) (?:price|cost)|the (?:price|cost)|as much)\b`,
    String.raw`\b(?:two|2)[\s-]for[\s-](?:one|1)\b|\bbuy one\b|\b(?:double|twice|triple) the price\b|\b(?:fiver|tenner|euros?)\b`,
  ].join('|'),
  'giu',
)
const SHARE = new RegExp(
  String.raw`(?:${DIGITS}|${WORDS})(?:\s?%|[\s-]?(?:percent|per cent|pct|prozent)\b)|(?:${SIGN}\s?)?(?:${DIGITS}|${WORDS})\s+off\b`,
  'giu',
)
const RATING = new RegExp(
  String.raw`(?:${DIGITS}|${WORDS})(?:[\s-]?stars?\b|\s(?:out )?of (?:5|five)[\s-]stars?\b|\sout of (?:5|five)\b|\s?\/\s?5\b(?:[\s-]stars?\b)?)|(?<=\brated\s)${DIGITS} of (?:5|five)\b`,
  'giu',
)

/** 'twenty-five' -> 25. NaN for 'a few' and 'four and a half'. */
function numberOfWords(words: string): number {
  let [sum, last] = [0, 0]
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    const [one, ten] = [ONES.indexOf(word), TENS.indexOf(word)]
    if (one >= 0) last += one
    else if (ten >= 0) last += 20 + 10 * ten
    else if (word === 'hundred') last = (last || 1) * 100
    else if (word === 'thousand') [sum, last] = [sum + (last || 1) * 1000, 0]
    else if (word === 'a' || word === 'an') continue
    else if (word !== 'and') return NaN
  }
  return sum + last
}

/** '1,400.00', '3,99' and '.5' in hundredths. NaN for other forms. */
function hundredthsOf(digits: string): number {
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(digits)
    ? digits.replaceAll(',', '')
    : digits.replace(/^(\d+),(\d{1,2})$/, '$1.$2').replace(/^\./, '0.')
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(plain) ? toCents(plain) : NaN
}

const found = (value: number): number | null => (Number.isNaN(value) ? null : value)
const FIGURE = new RegExp(DIGITS, 'gu')

function amountOf(said: string): (number | null)[] {
  if (
    /^(?:free|(?:for|pay) nothing|on (?:the house|us)|costs? (?:you )?nothing|gratis|(?:no|without) (?:cost|charge)|complimentary)$/i.test(
      said,
    )
  )
    return [0]
  const isForeign = /(?!\$)\p{Sc}/u.test(said.replace('¢', '')) || new RegExp(`\\b${FOREIGN_MONEY}`, 'i').test(said)
  const isOther = /[A-Z]\$/.test(said.replace(/US\$/i, '')) || /\b(?:EUR|GBP|CHF)\b|\d\s?(?:k|m)\b|million/i.test(said)
  if (isForeign || isOther) return [null]
  const isCents = /(?:cents?|penn(?:y|ies)|¢)$/i.test(said)
  const digits = said.match(FIGURE)
  if (digits) {
    if (/\b(?:thousand|hundred)\b/i.test(said)) return [null]
    return digits.map((one) => found(isCents ? hundredthsOf(one) / 100 : hundredthsOf(one)))
  }
  if (/\b(?:off|price|cost|much|for|buy|fiver|tenner)\b/i.test(said)) return [null]
  const words = said.replace(new RegExp(`[\\s-]*${OWN_MONEY}$`, 'i'), '')
  const count = /^an?$/i.test(words) ? 1 : numberOfWords(words)
  return [found(isCents ? count : count * 100)]
}

/** 10,000 words are no amount. */
const isCount = (said: string) => /^\d{1,3}(?:,\d{3})+$/.test(said)

/** '$3 less' and '$3 a month' are no prices of anything here. */
const NO_PRICE =
  /^\s*(?:less|more|cheaper|dearer|off|extra|discount|back|per\b|(?:a|each|every) (?:day|week|month|year)|monthly|yearly)/i

/** Every amount of money, in cents. Any decimal figure counts as one, and so do 'free' and 'half price'. */
export const amountsIn = (text: string): Figure[] =>
  [...text.matchAll(AMOUNT)]
    .filter(([said]) => !isCount(said))
    .flatMap(({ 0: said, index: at }) => {
      const isNone = NO_PRICE.test(text.slice(at + said.length))
      return amountOf(said.trim()).map((value) => ({ at, said, value: isNone ? null : value }))
    })

const shareOf = (said: string): number | null => {
  if (/off$/i.test(said) && !/%|percent/i.test(said)) return null
  const [digits] = said.match(FIGURE) ?? []
  const words = said.replace(/[\s-]*(?:%|percent|per cent|pct|prozent)(?:\s+off)?$/i, '')
  return found(digits === undefined ? numberOfWords(words) * 100 : hundredthsOf(digits))
}

/** Every share, in hundredths of a percent. '20 off' is none that can be checked. */
export const sharesIn = (text: string): Figure[] =>
  [...text.matchAll(SHARE)].map(({ 0: said, index: at }) => ({ at, said, value: shareOf(said) }))

/** Every rating, in hundredths of a star. */
export const ratingsIn = (text: string): Figure[] =>
  [...text.matchAll(RATING)].map(({ 0: said, index: at }) => {
    const [digits] = said.match(FIGURE) ?? []
    const words = said.split(/[\s-]+(?:stars?|out|of)\b/i)[0]!
    return { at, said, value: found(digits === undefined ? numberOfWords(words) * 100 : hundredthsOf(digits)) }
  })

/** The text with blanks in the places of figures that are read already. */
export const blank = (text: string, figures: Pick<Figure, 'at' | 'said'>[]): string =>
  figures.reduce(
    (rest, { at, said }) => rest.slice(0, at) + ' '.repeat(said.length) + rest.slice(at + said.length),
    text,
  )
