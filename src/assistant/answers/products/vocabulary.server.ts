import synonyms from '../../../catalogue/shelf/synonyms.json' with { type: 'json' }
import type { Vector } from '../../../kit/meaning/vector.rules.ts'
import { nextTurn } from '../turn.server.ts'
import { type Postings, postingsOf, stem, stemsOf, tokensOf, type Weigh, weighBy } from '../words.rules.ts'

type ProductText = { title: string; brief: string; category: string }
/** The words of a product's title and description. Recomputed only if these change. */
export type Text = {
  heading: Set<string>
  text: Set<string>
  name: string[]
  tokens: string[]
  words: string
  vector?: Vector
}

export function readText({ title, brief, category }: ProductText, words: string): Text {
  const heading = new Set(withSynonyms(`${title} ${category}`))
  const tokens = tokensOf(`${title} ${brief}`)
  return { heading, text: new Set([...heading, ...stemsOf(brief)]), name: nameOf(title), tokens, words }
}

/** The words of all products, for typo correction and word weights. */
export type Vocabulary = {
  weigh: Weigh
  known: Set<string>
  stems: Set<string>
  inHeadings: Postings<Text>
  inTexts: Postings<Text>
  inNames: Postings<Text>
}

export async function vocabularyOf(all: Text[]): Promise<Vocabulary> {
  const known = new Set(all.flatMap(({ tokens }) => tokens))
  for (const word of synonyms.flat().flatMap(tokensOf)) known.add(word)
  await nextTurn()
  const weigh = weighBy(all.map(({ text }) => text))
  await nextTurn()
  const stems = new Set([...known].map(stem))
  await nextTurn()
  const inTexts = postingsOf(all, ({ text }) => text)
  await nextTurn()
  const [inHeadings, inNames] = [postingsOf(all, ({ heading }) => heading), postingsOf(all, ({ name }) => name)]
  return { weigh, known, stems, inHeadings, inTexts, inNames }
}

/** The distinctive words of a title: those before the amount of a voucher or the subtitle. */
const nameOf = (title: string) => stemsOf(title.replace(/[,:].*$/, '')).filter((one) => !KINDS.has(one))
const KINDS = new Set(['gift card', 'gift', 'card', 'voucher', 'demo', 'prepaid'].map(stem))

function withSynonyms(text: string): string[] {
  const own = stemsOf(text)
  const said = ` ${tokensOf(text).join(' ')} `
  const others = synonyms.filter((group) => group.some((one) => said.includes(` ${one} `))).flat()
  return [...own, ...others.flatMap(stemsOf)]
}
