import { toCents } from '../../kit/money.ts'

// A language model writes what is likely. A sentence with a fact that no tool returned is dropped before anyone sees it.

/** Everything that the tools returned for one question. */
export type Facts = {
  /** Amounts in cents. */
  prices: Set<number>
  /** Status by the last eight characters of the order's number. */
  orders: Map<string, string>
  titles: Set<string>
  /** Stock that is left, as numbers. */
  left: Set<number>
  isSoldOut: boolean
  /** Pages of the shop that may be named. */
  paths: Set<string>
  /** Text of help articles and tools, for other figures. */
  texts: string
}

export const noFacts = (): Facts => ({
  prices: new Set(),
  orders: new Map(),
  titles: new Set(),
  left: new Set(),
  isSoldOut: false,
  paths: new Set(),
  texts: '',
})

const STATES: Record<string, string[]> = {
  completed: ['completed'],
  complete: ['completed'],
  paid: ['completed'],
  pending: ['pending'],
  unpaid: ['pending'],
  failed: ['failed'],
  refunded: ['refunded'],
  shipped: [],
  delivered: ['completed'],
  canceled: ['failed'],
  cancelled: ['failed'],
}

const AMOUNT =
  /(?:US)?[$€£¥₹]\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)?\s?(?:dollars?|usd|euros?|eur|pounds?|gbp|bucks|cents?)\b|\b(?:USD|EUR|GBP)\s?\d[\d,]*(?:\.\d+)?/gi
const LINK =
  /\b[a-z][a-z\d+.-]*:\/\/|\bwww\.|\b[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|net|org|io|co|info|biz|xyz|shop|app|dev|me|ly|ru|cn|example|test)\b|\bmailto:/i
const PATH = /(?<![\w/])\/[a-z][\w/-]*/gi
const SECRET = /\b[A-Z\d]{3,6}(?:-[A-Z\d]{3,6}){2,}\b|[\w.+-]+@[\w-]+\.\w+|\b\d(?:[ -]?\d){12,18}\b/
const DONE =
  /\bI(?:['’]ve| have|['’]ll| will| can| just)?\s+(?:now\s+|just\s+|already\s+)?(?:refund|cancel|issue|credit|charge|send|sent|change|update|replace|extend|revoke|reset|escalat)\w*/i
const NAME = /[“"«]([^”"»]{3,90})[”"»]|\*\*([^*]{3,90})\*\*/g

/** Why a sentence of a model may not be shown; null when every fact in it came from a tool. */
export function faultOf(sentence: string, facts: Facts): string | null {
  if (/<[a-z/!]|&[a-z]+;|javascript:|\]\(/i.test(sentence)) return 'markup'
  if (SECRET.test(sentence)) return 'a code, an address or a number of a card'
  for (const [path] of sentence.matchAll(PATH)) if (!facts.paths.has(path.replace(/\/$/, ''))) return `the page ${path}`
  if (LINK.test(sentence)) return 'a link'
  if (DONE.test(sentence)) return 'an act that the assistant cannot do'
  for (const [said] of sentence.matchAll(AMOUNT)) {
    const isForeign = /[€£¥₹]|euro|eur|pound|gbp/i.test(said)
    const digits = said.replace(/[^\d.]/g, '').replace(/\.$/, '')
    const cents = /cents?$/i.test(said)
      ? Number(digits)
      : /^\d+(?:\.\d{1,2})?$/.test(digits)
        ? toCents(Number(digits).toFixed(2))
        : NaN
    if (isForeign || (!facts.prices.has(cents) && !facts.texts.includes(said.trim()))) return `the price ${said}`
  }
  for (const [said] of sentence.matchAll(/\b\d+(?:\.\d+)?\s?(?:%|percent\b)/gi))
    if (!facts.texts.includes(said.replace(/\s?percent$/i, '%'))) return `the share ${said}`
  return faultOfOrder(sentence, facts) ?? faultOfStock(sentence, facts) ?? faultOfName(sentence, facts)
}

function faultOfOrder(sentence: string, { orders, texts }: Facts): string | null {
  const named = [...sentence.matchAll(/#?\b([0-9a-f]{8})\b/gi)]
    .map(([, id]) => id!.toLowerCase())
    .filter((id) => /\d/.test(id))
  const unknown = named.find((id) => !orders.has(id))
  if (unknown) return `the order ${unknown}`
  if (!/\border|purchase|payment|it (?:is|was)\b/i.test(sentence)) return null
  const states = Object.keys(STATES).filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(sentence))
  // a rule of a help article may name states without an order
  if (states.length === 0 || (named.length === 0 && orders.size === 0)) return null
  if (named.length === 0 && texts.includes(sentence.trim())) return null
  const true_ = named.length > 0 ? named.map((id) => orders.get(id)!) : [...orders.values()]
  const wrong = states.find((word) => !STATES[word]!.some((state) => true_.includes(state)))
  return wrong ? `the state ${wrong}` : null
}

function faultOfStock(sentence: string, { left, isSoldOut }: Facts): string | null {
  if (/\b(?:sold out|out of stock)\b/i.test(sentence) && !isSoldOut) return 'that it is sold out'
  const said = /\b(?:only\s+)?(\d+)\s+(?:are\s+|is\s+)?(?:left|remaining|in stock)\b/i.exec(sentence)
  return said && !left.has(Number(said[1])) ? `that ${said[1]} are left` : null
}

function faultOfName(sentence: string, { titles, texts }: Facts): string | null {
  for (const [, quoted, bold] of sentence.matchAll(NAME)) {
    const name = (quoted ?? bold)!.trim().replace(/[.,:]$/, '')
    const isKnown =
      [...titles].some((title) => title.toLowerCase().includes(name.toLowerCase())) ||
      texts.toLowerCase().includes(name.toLowerCase())
    if (!isKnown) return `the name ${name}`
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
  const end = /[.!?:](?=[\s”"’)]+)|\n/g
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
