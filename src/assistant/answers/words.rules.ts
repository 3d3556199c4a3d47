import { fold } from '../../catalogue/shelf/fold.rules.ts'

// Normalizes words for comparison: lower case, without accents, stemmed, without stop words.

const EMPTY = new Set(
  `a about after again all also am an and any anything are as at be been but by can cannot could did do does doing done else
  for from get give go going good got had has have having help hey hi how i if im in into is isnt it its ive just know let
  like likes look looking make may maybe me might mine more much my need no not now of off oh ok on one ones or our out over
  please pls plz really same say see shall should show so some someone something store shop such take tell than that thats
  the their them then there these they thing things this those to too try u under up us very want wanna was way we were what
  whats when where wheres which while who whom whose why will with within without wont work works would wont yes yet you your
  youre instead rather actually exactly perhaps he she him her his hers they sell sells dont doesnt didnt cant couldnt wat ur interested recommend suggest suitable`.split(
    /\s+/,
  ),
)

export const tokensOf = (text: string): string[] =>
  fold(text)
    .replace(/[’'`]/g, '')
    .replace(/\be[- ]?books?\b/g, (found) => (found.endsWith('s') ? 'ebooks' : 'ebook'))
    .replace(/\bgift[- ]?cards?\b/g, (found) => (found.endsWith('s') ? 'gift cards' : 'gift card'))
    .match(/\p{N}+(?:\.\p{N}+)?|[\p{L}\p{N}]+/gu) ?? []

/** 'baking', 'baker' and 'baked' -> 'bak'. Words with digits do not change. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const cut = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<=..)(?:ations?|ings?|ers?|ed|es)$/, '')
    .replace(/(?<=..[^s])s$/, '')
  const bare = cut.length < 3 ? word : cut
  return bare.replace(/(?<=..)(?:e|y)$/, '').replace(/([bdgklmnprt])\1$/, '$1')
}

export const isEmptyWord = (word: string): boolean => EMPTY.has(word)

/** Returns the stems of a text without stop words. */
export const stemsOf = (text: string): string[] =>
  tokensOf(text)
    .filter((word) => !EMPTY.has(word))
    .map(stem)

/** Weighs a stem higher if fewer texts contain it. */
export type Weigh = (stem: string) => number

export function weighBy(texts: Iterable<Iterable<string>>): Weigh {
  const uses = new Map<string, number>()
  let count = 0
  for (const stems of texts) {
    count++
    for (const one of new Set(stems)) uses.set(one, (uses.get(one) ?? 0) + 1)
  }
  return (one) => Math.log(1 + count / (uses.get(one) ?? 2))
}

/** The stems of a text with their weights. A question is weighed once for hundreds of comparisons. */
export type Weighed = { stems: string[]; weights: number[]; sum: number }

export function weighAll(stems: Iterable<string>, weigh: Weigh): Weighed {
  const own = [...new Set(stems)]
  const weights = own.map(weigh)
  return { stems: own, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) }
}

/** Returns the shared weight of two texts, from 0 to 1. */
export function overlapOf(one: Weighed, other: Weighed, shared = 0): number {
  const all = one.sum + other.sum
  return all === 0 ? 0 : (2 * shared) / all
}

/** Returns the share of the question in either text, from 0 to 1. Runs hundreds of times for each question. */
export function coverage({ stems, weights, sum }: Weighed, text: ReadonlySet<string>, other?: ReadonlySet<string>) {
  let shared = 0
  for (let i = 0; i < stems.length; i++) if (text.has(stems[i]!) || other?.has(stems[i]!)) shared += weights[i]!
  return sum === 0 ? 0 : shared / sum
}

/** Texts by stem, so that a question is compared only with texts that share a stem. */
export type Postings<Text> = ReadonlyMap<string, readonly Text[]>

export function postingsOf<Text>(texts: Iterable<Text>, stemsOfText: (text: Text) => Iterable<string>): Postings<Text> {
  const postings = new Map<string, Text[]>()
  for (const text of new Set(texts))
    for (const each of new Set(stemsOfText(text))) {
      const those = postings.get(each)
      if (those) those.push(text)
      else postings.set(each, [text])
    }
  return postings
}

/** Returns the weight that each text shares with a question. Texts without a shared stem are missing. */
export function sharedWeights<Text>({ stems, weights }: Weighed, postings: Postings<Text>): Map<Text, number> {
  const shared = new Map<Text, number>()
  for (const [i, each] of stems.entries())
    for (const text of postings.get(each) ?? []) shared.set(text, (shared.get(text) ?? 0) + weights[i]!)
  return shared
}

/** Counts the edits between two words up to `most`. Swapped neighbours count as one edit. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  const rows = [Array.from({ length: other.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    if (Math.min(...row) > most) return most + 1
    rows.push(row)
  }
  return rows[one.length]![other.length]!
}

const MIN_TYPO_LENGTH = 4
const MAX_TYPO_LENGTH = 24
/** Words of this length may have two typos. In shorter words, two edits often give another word. */
const LONG_WORD = 9
/** First letters that sound alike: 'fotography'. */
const SOUNDS: [RegExp, string][] = [
  [/^f/, 'ph'],
  [/^ph/, 'f'],
  [/^k/, 'c'],
  [/^c/, 'k'],
  [/^s(?=[eiy])/, 'c'],
]
/** Limits typo correction, because it compares each word with all known words on the main thread. */
const MAX_MENDED = 40

/** Common words of questions, which products and articles need not contain. */
const ORDINARY = new Set(
  `best rated rating popular cheapest cheaper cheap expensive priciest newest latest under below above between
  around dollars bucks stock available sold compare difference versus similar stuff kid kids child children tool tools
  present presents lover person people human agent weather homework poem capital france sea calm explained fall asleep sleep
  beginner beginners afraid help when does left which many much other first second third last one wrote written write
  writes author teacher teaches teach artist singer maker made creator speaker relax relaxing quiet calming expensive pricey
  money back home work works working still know known need needs like likes love loves enjoy enjoys cook cooks cooking
  birthday christmas mother father sister brother nephew niece uncle aunt daughter friend friends husband boss laptop
  laptops phone computer broken junk piece stupid really maybe something nothing anything everything someone anyone`.split(
    /\s+/,
  ),
)

const isIn = (sets: ReadonlySet<string>[], one: string) => sets.some((set) => set.has(one))

/** Replaces each unknown word by the known word that is one edit away (two for long words). */
export function correct(text: string, known: ReadonlySet<string>[], stems: ReadonlySet<string>[]): string {
  const words = joinPairs(tokensOf(text), (one) => isIn(stems, one))
  return words.map((word, i) => (i < MAX_MENDED ? correctWord(word, known, stems) : word)).join(' ')
}

function correctWord(word: string, known: ReadonlySet<string>[], stems: ReadonlySet<string>[]): string {
  if (word.length < MIN_TYPO_LENGTH || word.length > MAX_TYPO_LENGTH || /\d/.test(word)) return word
  if (isIn(known, word) || EMPTY.has(word) || ORDINARY.has(word) || isIn(stems, stem(word))) return word
  const alike = SOUNDS.map(([start, other]) => word.replace(start, other)).find(
    (one) => one !== word && (isIn(known, one) || isIn(stems, stem(one))),
  )
  return alike ?? nearestIn(known, word)
}

/** Returns the known word with the fewest edits, or the word itself. */
function nearestIn(known: ReadonlySet<string>[], word: string): string {
  const most = word.length < LONG_WORD ? 1 : 2
  let best = word
  let least = most + 1
  for (const set of known)
    for (const one of startsOf(set).get(word[0]!) ?? []) {
      if (Math.abs(one.length - word.length) > most) continue
      const edits = distance(word, one, most)
      if (edits < least) [best, least] = [one, edits]
    }
  return best
}

const starts = new WeakMap<ReadonlySet<string>, Map<string, string[]>>()

/** Groups words by their first letter, which a typo seldom changes. */
function startsOf(known: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  let found = starts.get(known)
  if (!found) {
    found = Map.groupBy(
      [...known].filter((one) => one.length >= MIN_TYPO_LENGTH),
      (one) => one[0]!,
    )
    starts.set(known, found)
  }
  return found
}

/** 'stable coins' -> 'stablecoins' if only the joined word is known. */
function joinPairs(words: string[], isStem: (one: string) => boolean): string[] {
  const joined: string[] = []
  for (let i = 0; i < words.length; i++) {
    const [one, other] = [words[i]!, words[i + 1]]
    const isPair = other !== undefined && one.length > 3 && !isStem(stem(one)) && isStem(stem(one + other))
    joined.push(isPair ? one + other : one)
    if (isPair) i++
  }
  return joined
}

/** Replaces misspelt words in the typed text. Punctuation does not move. */
export function withCorrections(typed: string, corrected: string): string {
  const better = corrected.split(' ')
  const own = tokensOf(typed)
  if (own.length !== better.length) return corrected
  return own.reduce(
    (text, word, i) => (word === better[i] ? text : text.replace(new RegExp(`\\b${word}\\b`, 'i'), better[i]!)),
    typed,
  )
}
