import { hasLink } from '../answers/link.rules.ts'
import { stemsOf } from '../answers/words.rules.ts'
import { bare, type Facts, REDUCTION } from './facts.rules.ts'
import { amountsIn, blank, type Figure, ratingsIn, sharesIn } from './figures.rules.ts'
import { mentionsIn, ORDER, orderOf, type Mention, type Subject, subjectOf, subjectsOf } from './mentions.rules.ts'
import { isTrueOf, type StateClaim, statesIn } from './states.rules.ts'

// A language model writes what is likely. A sentence with a fact that no tool returned is dropped before anyone sees it.

const MAX_LENGTH = 600
const PATH = /(?<![\w/])\/[a-z][\w/-]*/gi
const CODE = [
  /[\w.+-]+@[\w-]+\.\w+/,
  /\b\d(?:[ -]?\d){12,18}\b|\b\d{9,}\b/,
  /\b[A-Z\d]{3,6}(?:-[A-Z\d]{3,6}){2,}\b/,
  // in groups, with a hyphen or a space between them
  /\b(?=(?:-?[A-Z\d]){8})(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]{2,}(?:-[A-Z\d]{2,})+\b/,
  /\b(?=[A-Z ]*\d)[A-Z\d]{4}(?: [A-Z\d]{4}){2,}\b/,
  /\b\d{5,}-\d{4,}\b/,
  /\b(?:[Cc]ode|[Kk]ey|[Cc]oupon)s?\b[^.]{0,20}\b[A-Z\d-]{6,}(?![\p{L}\p{N}])/u,
]
const MIXED = /(?<![\p{L}\p{N}])(?=\p{L}*\p{N})(?=\p{N}*\p{L})[\p{L}\p{N}]{8,}(?![\p{L}\p{N}])/gu
/** '1920x1080' */
const SIZE = /^\d+x\d+$/i
const DOES = String.raw`(?:refund|cancel|issu|credit|charg|send|sent|chang|updat|replac|extend|revok|reset|escalat|approv|process|remov|delet|transfer|forward|notif|inform|contact|unlock|reopen|appl|waiv|upgrad|add|arrang|submit|open|creat|reserv|book)\w*`
const SOON = String.raw`(?:\s+(?:now|just|already|also|gladly|personally))*\s+`
const DONE = new RegExp(
  [
    // the assistant only reads
    String.raw`\bI(?:['’]ve| have| just| already)(?:\s+(?:now|just|already))*\s+(?!(?:checked|searched|looked|listed|compared|picked|learned|noticed|found|understood)\b)(?:\w+ed|gone|done|sent|made|put|taken|given)\b`,
    String.raw`\bI(?:['’](?:ve|ll|m|d)|\s+(?:have|will|can|could|am|was able to|just))?${SOON}${DOES}`,
    String.raw`\b(?:let me|allow me to|(?:I am|I['’]m|happy) to)\s+${DOES}`,
    String.raw`\b(?:we|support|staff|(?:our|the) (?:team|support|staff|shop|store)|a (?:colleague|person))(?:['’](?:ve|ll|re)|\s+(?:have|has|will|are|is|just))${SOON}(?:be\s+)?${DOES}`,
    String.raw`\b(?:we|support|staff|our team)\s+(?:refunded|cancell?ed|issued|credited|charged|sent|changed|updated|replaced|extended|revoked|escalated|approved|processed|removed|deleted|notified|unlocked|waived|upgraded|added)\b`,
    String.raw`\b(?:has|have|was|were|(?:is|are) being|will|shall|(?:is|are) going to)(?:\s+(?:now|just|already))?(?:\s+(?:been|be))?\s+(?:issued|credited|sent|changed|updated|replaced|extended|revoked|reset|escalated|forwarded|notified|unlocked|waived|upgraded|applied|deleted|submitted|raised|opened|created|filed|requested)\b`,
  ].join('|'),
  'i',
)
const NAME = /[“"«]([^”"»]{3,90})[”"»]|\*\*([^*]{3,90})\*\*/g
/** A rule of the shop is told in the present, for everybody. */
const PERSONAL =
  /\b(?:you(?:['’]ve| have)|have|has|was|were|already|yesterday|earned|received|got|your (?:store )?(?:credit|balance) (?:is|of))\b/i
/** So many words and figures must a sentence share with one of the shop's own that holds its figure. */
const MIN_SHARED = 4

/** Checks the sentences of one answer in their order. Answers why a sentence may not be shown; null when every fact in it came from a tool. */
export function openCheck(facts: Facts) {
  let last: Subject[] | null = null

  return function faultOf(written: string): string | null {
    const sentence = written.normalize('NFKC')
    // 'it' means what the question is about until something is named
    last ??= [
      ...facts.about.titles.map((title) => subjectOf([title], facts)),
      ...facts.about.orders
        .flatMap((id) => facts.orders.get(id) ?? [])
        .map((order) => ({ orders: [order], isOrder: true as const })),
    ]
    const { rest, mentions } = mentionsIn(sentence, facts)
    const fault = faultIn(sentence, rest, mentions, last, facts)
    const named = mentions.map(({ subject }) => subject).filter(({ product, orders }) => product || orders)
    // a reader of the next sentence has not seen a dropped one
    if (named.length > 0 && fault === null) last = named
    return fault
  }
}

function faultIn(sentence: string, named: string, mentions: Mention[], last: Subject[], facts: Facts): string | null {
  if (sentence.length > MAX_LENGTH) return 'its length'
  if (/<[a-z/!]|&[a-z]+;|javascript:|\]\(/i.test(sentence)) return 'markup'
  if (/(?!\d)\p{N}|\u2044/u.test(sentence)) return 'digits of another script'
  if (CODE.some((code) => code.test(named))) return 'a code, an address or a number of a card'
  for (const [said] of sentence.matchAll(ORDER)) {
    const isKnown = facts.orders.has(orderOf(said))
    if (!isKnown) return `the order ${said}`
  }
  for (const [said] of named.matchAll(MIXED)) if (!SIZE.test(said)) return `the code ${said}`
  for (const [said] of named.matchAll(/#\s?[\p{L}\d][\p{L}\d-]*/gu)) return `the order ${said}`
  if (facts.own.has(bare(sentence))) return null
  for (const [path] of sentence.matchAll(PATH)) if (!facts.paths.has(path.replace(/\/$/, ''))) return `the page ${path}`
  if (hasLink(named)) return 'a link'
  if (DONE.test(sentence)) return 'an act that the assistant cannot do'
  const shares = sharesIn(named)
  const ratings = ratingsIn(blank(named, shares))
  const rest = blank(named, [...shares, ...ratings])
  const amounts = amountsIn(rest)
  return (
    faultOfAmounts(sentence, amounts, mentions, last, facts) ??
    faultOfShares(sentence, shares, mentions, facts) ??
    faultOfRatings(ratings, mentions, last) ??
    faultOfStates(statesIn(rest), mentions, last, facts) ??
    faultOfStock(rest, mentions, last) ??
    faultOfName(sentence, facts)
  )
}

/** True if a sentence of the shop has the figure, is about the same, and promises as much. */
function isRule(sentence: string, kind: 'amounts' | 'shares', { value }: Figure, { own }: Facts): boolean {
  if (value === null || PERSONAL.test(sentence)) return false
  const words = [...new Set(stemsOf(sentence))].filter((word) => !/\d/.test(word))
  const [amounts, shares] = [amountsIn(blank(sentence, sharesIn(sentence))), sharesIn(sentence)]
  return [...own.values()].some((source) => {
    const shared = words.filter((word) => source.words.has(word)).length
    const figures =
      amounts.filter((one) => source.amounts.has(one.value ?? NaN)).length +
      shares.filter((one) => source.shares.has(one.value ?? NaN)).length
    const isNear = shared + figures >= MIN_SHARED && shared >= words.length / 2
    return isNear && source[kind].has(value) && (source.isReduction || !REDUCTION.test(sentence))
  })
}

function isPriceOf({ product, orders, isOrder, sum }: Subject, cents: number): boolean {
  if (sum !== undefined) return sum === cents
  if (product && !isOrder) return product.cents.has(cents)
  return orders?.every((order) => order.cents === cents && (isOrder || order.titles.length === 1)) ?? false
}

function faultOfAmounts(sentence: string, amounts: Figure[], mentions: Mention[], last: Subject[], facts: Facts) {
  const own = subjectsOf(amounts, mentions)
  const hasThing = mentions.some(({ subject }) => subject.product ?? subject.orders)
  const wrong = amounts.find((amount, i) => {
    if (amount.value === null) return true
    if (!hasThing && isRule(sentence, 'amounts', amount, facts)) return false
    const about = own[i]!.length > 0 ? own[i]! : last
    return about.length === 0 || !about.every((subject) => isPriceOf(subject, amount.value!))
  })
  return wrong ? `the price ${wrong.said.trim()}` : null
}

/** No product has a share. */
function faultOfShares(sentence: string, shares: Figure[], mentions: Mention[], facts: Facts) {
  const hasThing = mentions.some(({ subject }) => subject.product ?? subject.orders)
  const wrong = shares.find((share) => hasThing || !isRule(sentence, 'shares', share, facts))
  return wrong ? `the share ${wrong.said}` : null
}

function faultOfRatings(ratings: Figure[], mentions: Mention[], last: Subject[]) {
  const own = subjectsOf(ratings, mentions)
  const wrong = ratings.find(({ value }, i) => {
    const about = own[i]!.length > 0 ? own[i]! : last
    const isRated = ({ product }: Subject) =>
      typeof product?.stars === 'string' && Math.round(Number(product.stars) * 100) === value
    return about.length === 0 || !about.every(isRated)
  })
  return wrong ? `the rating ${wrong.said}` : null
}

function faultOfStates(claims: StateClaim[], mentions: Mention[], last: Subject[], { orders: known }: Facts) {
  const own = subjectsOf(
    claims,
    mentions.filter(({ subject }) => subject.product ?? subject.orders),
  )
  const wrong = claims.find((claim, i) => {
    if (claim.isPromise) return true
    const isTrue = (order: NonNullable<Subject['orders']>[number]) => isTrueOf(claim, order)
    if (own[i]!.length > 0) return !own[i]!.every(({ orders }) => orders?.every(isTrue))
    if (claim.isSome) return ![...known.values()].some(isTrue)
    const before = last.flatMap(({ orders, isOrder }) => (isOrder && orders) || [])
    const about = before.length > 0 && !claim.isAll ? before : [...known.values()]
    return about.length === 0 || !about.every(isTrue)
  })
  return wrong ? `the state ${wrong.said}` : null
}

function faultOfStock(text: string, mentions: Mention[], last: Subject[]): string | null {
  const claims = [
    ...[...text.matchAll(/\b(?:sold out|out of stock)\b/gi)].map(({ index: at }) => ({ at, left: 0 })),
    ...[...text.matchAll(/\b(?:only\s+)?(\d+)\s+(?:\w+\s+)?(?:are\s+|is\s+)?(?:left|remaining|in stock)\b/gi)]
      .filter(([said]) => !/\b(?:seconds?|minutes?|hours?|days?)\b/i.test(said))
      .map(({ index: at, 1: left }) => ({ at, left: Number(left) })),
  ]
  const own = subjectsOf(claims, mentions)
  const wrong = claims.find(({ left }, i) => {
    const about = own[i]!.length > 0 ? own[i]! : last
    return about.length === 0 || !about.every(({ product }) => product?.left === left)
  })
  return wrong ? `that ${wrong.left} are left` : null
}

function faultOfName(sentence: string, { products, orders, owned, names, own }: Facts): string | null {
  const known = [
    ...products.keys(),
    ...[...orders.values()].flatMap(({ titles }) => titles),
    ...owned,
    ...names,
    ...own.keys(),
  ]
  for (const [, quoted, bold] of sentence.matchAll(NAME)) {
    const name = bare(quoted ?? bold!)
    if (!known.some((one) => bare(one).includes(name))) return `the name ${name}`
  }
  return null
}

/** The sentence as it is shown: without marks of Markdown and control characters. */
export const plainSentence = (sentence: string): string =>
  sentence
    .toWellFormed()
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '')

/** Cuts a stream of text into whole sentences. */
export function openSentences(onSentence: (sentence: string) => void) {
  let rest = ''
  // no sentence ends before this place, so that a long one costs no more for each piece
  let read = 0
  // a colon stays within its sentence, so that a price is checked with the name before it
  const end = /[.!?](?=[\s”"’)]+)|\n/g
  return {
    add(text: string) {
      rest += text
      for (;;) {
        end.lastIndex = read
        let cut = -1
        for (let found = end.exec(rest); found; found = end.exec(rest)) {
          const isAbbreviation = /\b(?:e\.g|i\.e|etc|vs|No)\.$/.test(rest.slice(0, found.index + 1))
          if (!isAbbreviation) {
            cut = found.index + 1
            break
          }
        }
        if (cut < 0) return void (read = Math.max(0, rest.length - 1))
        onSentence(rest.slice(0, cut))
        rest = rest.slice(cut)
        read = 0
      }
    },
    end() {
      if (rest.trim() !== '') onSentence(rest)
      rest = ''
    },
  }
}
