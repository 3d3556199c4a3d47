import { stemsOf } from '../answers/words.rules.ts'
import { amountsIn, blank, ratingsIn, sharesIn } from './figures.rules.ts'

// What the tools returned for one question: typed fields, and sentences that the shop itself wrote. The texts of sellers and
// reviewers prove nothing.

export type OrderFact = { status: string; isHeld: boolean; cents: number; titles: string[] }
export type ProductFact = { cents: Set<number>; stars: string | null; left: number | null }

/** A sentence of a help article, of staff, or of the local assistant about money. */
type OwnSentence = { words: Set<string>; amounts: Set<number>; shares: Set<number>; isReduction: boolean }

export type Facts = {
  /** By the title as the answer shows it. */
  products: Map<string, ProductFact>
  /** By the last eight characters of the number. */
  orders: Map<string, OrderFact>
  credit: number | null
  spent: number | null
  /** What the question is about, which 'it' means until the answer names something. */
  about: { titles: string[]; orders: string[] }
  /** Titles that the customer owns. */
  owned: Set<string>
  /** Names without facts: categories and sellers. */
  names: Set<string>
  /** Pages of the shop that may be named. */
  paths: Set<string>
  /** By the sentence without marks. */
  own: Map<string, OwnSentence>
}

export const noFacts = (): Facts => ({
  products: new Map(),
  orders: new Map(),
  credit: null,
  spent: null,
  about: { titles: [], orders: [] },
  owned: new Set(),
  names: new Set(),
  paths: new Set(),
  own: new Map(),
})

export const REDUCTION = /\b(?:off|discount\w*|sale|reduced|reduction|cheaper|less|save|saves|saving)\b/i

/** Lower case, one kind of quotes, no marks of Markdown and none at the end: how two sentences are compared. */
export const bare = (sentence: string): string =>
  sentence
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[’‘]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/[*_`]|^\s*(?:[-•]|#+|\d+\.)\s+/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?:;,]+$/, '')
    .trim()
    .toLowerCase()

/** Notes what the shop says in its own words. Never give it the text of a seller or a reviewer. */
export function noteOwn({ own }: Facts, text: string) {
  let heading: string[] = []
  for (const written of text.split(/(?<=[.!?])[\s”"’)]+|\n(?=\s*(?:[-•#]|\d+\.)\s)|\n\n/)) {
    const sentence = bare(written)
    if (/^\s*#/.test(written)) heading = stemsOf(sentence)
    if (sentence === '') continue
    const [shares, ratings] = [sharesIn(sentence), ratingsIn(sentence)]
    const amounts = amountsIn(blank(sentence, [...shares, ...ratings]))
    own.set(sentence, {
      words: new Set([...heading, ...stemsOf(sentence)]),
      amounts: new Set(amounts.flatMap(({ value }) => value ?? [])),
      shares: new Set(shares.flatMap(({ value }) => value ?? [])),
      isReduction: REDUCTION.test(sentence),
    })
  }
}

/** Adds a product; two products may share a title. */
export function noteProduct({ products }: Facts, title: string, { cents, stars, left }: ProductFact) {
  const known = products.get(title)
  if (known) for (const one of cents) known.cents.add(one)
  else products.set(title, { cents, stars, left })
}
