// Turns typed text into queries for to_tsquery. They contain letters, digits and decimal points only between the operators
// written here, so typed operators have no effect.

import synonyms from './synonyms.json' with { type: 'json' }

const MOST_WORDS = 12
// operators of websearch_to_tsquery: quotes, a leading minus, the word 'or'
const OPERATORS = /"|(^|\s)-\S|\bor\b/i
/** From this length on an unfinished word stands for a synonym: 'bitc' finds 'btc'. */
const SHORTEST_START = 3

/** Lower case without accents, as `plain_text` in the database. */
export const plain = (typed: string): string =>
  typed
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

export const wordsOf = (typed: string): string[] =>
  (plain(typed).match(/\p{N}+\.\p{N}+|[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS)

/** The last word matches as a start, and no synonyms count: 'gift ca' -> 'gift & ca:*'. Empty for text with operators. */
export function prefixQuery(typed: string): string {
  const words = OPERATORS.test(typed) ? [] : wordsOf(typed)
  return words.length > 0 ? `${words.join(' & ')}:*` : ''
}

/** Words of the text that the search takes as one: a word, or a phrase with synonyms. */
type Term = { words: string[]; others: string[] }

const singular = (words: string[]) => words.join(' ').replace(/(?<=..[^s])s$/, '')

function termsOf(words: string[]): Term[] {
  const terms: Term[] = []
  for (let i = 0; i < words.length;) {
    const pair = words.slice(i, i + 2)
    const group = pair.length === 2 && synonyms.find((group) => group.includes(singular(pair)))
    const found = group ? pair : [words[i]!]
    const isLast = i + found.length === words.length
    terms.push({ words: found, others: othersOf(singular(found), isLast) })
    i += found.length
  }
  return terms
}

/** The synonyms of a word; an unfinished one at the end stands for those that it starts. */
const othersOf = (said: string, isLast: boolean): string[] =>
  synonyms
    .filter((group) => group.some((one) => one === said || (isLast && isStart(said, one))))
    .flatMap((group) => group.filter((one) => one !== said))

const isStart = (said: string, word: string) => said.length >= SHORTEST_START && word.startsWith(said)

/** A number matches whole, unless it is still being typed. */
const startOf = (word: string, isLast: boolean) => (isLast || !/^\p{N}/u.test(word) ? `${word}:*` : word)

const joined = (parts: string[], operator = ' & ') => (parts.length > 1 ? `(${parts.join(operator)})` : parts.join())

/**
 * The text as typed (`written` when operators leave it to websearch_to_tsquery), each word as the start of a word or a
 * synonym, and what ranks a product: whole words of the title, of title and category, synonyms there, starts in the title.
 */
export type Query = Record<'plain' | 'written' | 'starts' | 'title' | 'named' | 'alike' | 'titleStarts', string>

/** `isAny` accepts a product with one of the words. */
export function queryOf(typed: string, { isAny = false } = {}): Query {
  const terms = OPERATORS.test(typed) ? [] : termsOf(wordsOf(typed))
  const build = (own: (word: string, isLast: boolean) => string, mark?: string) =>
    terms
      .map(({ words, others }, i) => {
        const said = words.map((word, j) => own(word, i === terms.length - 1 && j === words.length - 1))
        const synonyms =
          mark === undefined ? [] : others.map((one) => joined(one.split(' ').map((word) => word + mark)))
        return joined([joined(said), ...synonyms], ' | ')
      })
      .join(isAny ? ' | ' : ' & ')
  return {
    plain: plain(typed.trim()),
    written: terms.length > 0 ? '' : plain(typed),
    starts: build(startOf, ''),
    title: build((word) => `${word}:A`),
    named: build((word) => `${word}:AB`),
    alike: build((word) => `${word}:AB`, ':AB'),
    titleStarts: build((word) => `${word}:*A`),
  }
}
