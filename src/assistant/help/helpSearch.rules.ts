const EMPTY = new Set(
  `a about after all also am an and any are as ask at be been bought but buy by can cannot could did do does doing done for from get
  go got had has have hello help hey hi how i if in into is it its just know let like make may me more much my need new no
  not now of ok on one or our out over please possible problem put question say see shop should so some someone store such
  tell than thank thanks that the their them then there they thing this to too try use using very want was way we well were
  what when where which who whom whose why will with work works would yes yet you your today still really something
  anything anyone someone else dear regards don doesn didn isn won ll re ve im`.split(/\s+/),
)

/** The meaningful words of a text: lower case, stemmed, without stop words. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !EMPTY.has(word)).map(stem)

/** 'refunded', 'refunding' and 'refunds' -> 'refund' */
const stem = (word: string): string => {
  if (word.length < 5 || /\d/.test(word)) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?:ing|ed)$/, '')
}

type Hit = { score: number; match: Record<string, string[]>; queryTerms: string[] }

const LEAST_SCORE = 7
const LEAST_OF_BEST = 0.6

/**
 * Decides if the assistant may name this article: title or keywords contain a word of the question, and the score is
 * high and close to the best. A long message with one such word does not qualify.
 */
export function isAnswer({ score, match, queryTerms }: Hit, best: { score: number }, words: string[]): boolean {
  const isAbout = Object.values(match).some((fields) => fields.includes('title') || fields.includes('keywords'))
  const share = new Set(queryTerms).size / Math.max(1, new Set(words).size)
  return isAbout && score >= LEAST_SCORE && score >= best.score * LEAST_OF_BEST && share >= 0.25
}
