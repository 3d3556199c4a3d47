// Converts typed text to queries for to_tsquery. Operators have no effect: only letters, digits and points remain.

import { fold } from './fold.rules.ts'
import synonyms from './synonyms.json' with { type: 'json' }

const MAX_WORDS = 12
// operators of websearch_to_tsquery: quotes, a leading minus, the word 'or'
const OPERATORS = /"|(^|\s)-\S|\bor\b/i
/** Minimum length of an incomplete word to match a synonym: 'bitc' finds 'btc'. */
const MIN_START_LENGTH = 3

// scripts without spaces: the index contains each character as a word
const CJK =
  '\\u3041-\\u3096\\u309D-\\u309F\\u30A1-\\u30FA\\u30FC-\\u30FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}'
const LETTER = `(?:(?![${CJK}])[\\p{L}\\p{N}\\p{M}])`
/** A point inside a number stays: '2.0.1'. */
const WORD = new RegExp(
  `(?<sign>[-/._'+&\u2010-\u2015\u2019\u00B7]?)(?<word>(?:(?=\\p{L})[${CJK}])+|(?:(?![${CJK}])[\\p{L}\\p{N}])${LETTER}*(?:(?<=\\p{N})\\.(?=\\p{N})${LETTER}+)*)`,
  'gu',
)
const IS_CJK = new RegExp(`^[${CJK}]`, 'u')

/** `isJoined`: only a compound sign, such as a hyphen, separates the word from the previous one. */
type Piece = { word: string; isJoined: boolean }

function piecesOf(typed: string): Piece[] {
  let end = 0
  const pieces: Piece[] = []
  for (const { 0: text, index, groups = {} } of fold(typed).matchAll(WORD)) {
    if (pieces.length === MAX_WORDS) break
    pieces.push({ word: groups.word ?? '', isJoined: index === end && groups.sign !== '' && pieces.length > 0 })
    end = index + text.length
  }
  return pieces
}

export const wordsOf = (typed: string): string[] => piecesOf(typed).map(({ word }) => word)

/** Converts a word to index terms: '本棚' -> '(本 <-> 棚)'. */
const indexed = (word: string, mark: string, last = mark) =>
  IS_CJK.test(word) ? phrase([...word], mark, last) : word + last
const phrase = (words: string[], mark: string, last: string) =>
  joined(
    words.map((one, i) => one + (i === words.length - 1 ? last : mark)),
    ' <-> ',
  )

/** Builds a query with an incomplete last word, without synonyms: 'gift ca' -> 'gift & ca:*'. Empty with operators. */
export function prefixQuery(typed: string): string {
  const words = OPERATORS.test(typed) ? [] : wordsOf(typed)
  return words.map((word, i) => indexed(word, '', i === words.length - 1 ? ':*' : '')).join(' & ')
}

/** A word, or a phrase that has synonyms. */
type Term = { words: string[]; others: string[] }

const singular = (words: string[]) => words.join(' ').replace(/(?<=..[^s])s$/, '')

/** Joins hyphenated words, so that 'wi-fi' also finds 'wifi'. */
const closedUp = (pieces: Piece[]): string[] =>
  pieces.length === 2 && pieces[1]?.isJoined && pieces.some(({ word }) => !/^[\p{N}.]+$/u.test(word))
    ? [pieces.map(({ word }) => word).join('')]
    : []

function termsOf(pieces: Piece[]): Term[] {
  const terms: Term[] = []
  for (let i = 0; i < pieces.length;) {
    const pair = pieces.slice(i, i + 2)
    const words = pair.map(({ word }) => word)
    const group = pair.length === 2 && synonyms.find((group) => group.includes(singular(words)))
    const whole = pieces[i + 2]?.isJoined ? [] : closedUp(pair)
    const found = group || whole.length > 0 ? words : words.slice(0, 1)
    const isLast = i + found.length === pieces.length
    terms.push({ words: found, others: [...whole, ...othersOf(singular(found), isLast)] })
    i += found.length
  }
  return terms
}

const othersOf = (said: string, isLast: boolean): string[] =>
  synonyms
    .filter((group) => group.some((one) => one === said || (isLast && isStart(said, one))))
    .flatMap((group) => group.filter((one) => one !== said))

const isStart = (said: string, word: string) => said.length >= MIN_START_LENGTH && word.startsWith(said)

/** A number must match completely, unless the buyer is still typing it. */
const startOf = (word: string, isLast: boolean) => indexed(word, '', isLast || !/^\p{N}/u.test(word) ? ':*' : '')

function joined(parts: string[], operator = ' & '): string {
  return parts.length > 1 ? `(${parts.join(operator)})` : parts.join()
}

/**
 * The typed text (`written` if operators leave it to websearch_to_tsquery), a query of word starts and synonyms, and
 * the ranking queries: whole words of the title, of title and category, synonyms of the category, synonyms in the
 * title, and word starts in the title.
 */
export type Query = Record<
  'typed' | 'written' | 'starts' | 'title' | 'named' | 'kindred' | 'alike' | 'titleStarts',
  string
>

export function queryOf(typed: string, { isAny = false } = {}): Query {
  const terms = OPERATORS.test(typed) ? [] : termsOf(piecesOf(typed))
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
    typed: typed.trim().toLowerCase(),
    written: terms.length > 0 ? '' : fold(typed),
    starts: build(startOf, ''),
    title: build((word) => indexed(word, ':A')),
    named: build((word) => indexed(word, ':AB')),
    kindred: build((word) => indexed(word, ':AB'), ':B'),
    alike: build((word) => indexed(word, ':AB'), ':AB'),
    titleStarts: build((word) => indexed(word, ':A', ':*A')),
  }
}

/** Parts that a word must contain if no word starts like the search: '96khz' -> '96', 'khz'. */
export const partsOf = (typed: string): string[] =>
  OPERATORS.test(typed) ? [] : wordsOf(typed).flatMap((word) => word.match(/[\p{N}.]+|[^\p{N}.]+/gu) ?? [])
