import { scoreOfShop } from './certainty.rules.ts'
import type { Context } from './context.server.ts'
import { readAspect } from './products/aspect.rules.ts'
import type { ProductHit, Rated } from './products/products.server.ts'
import { nextTurn } from './turn.server.ts'

/** The products on sale that match a question, with the score of an answer from them. */
export type ProductMatch = {
  /** Products whose title the question mentions. */
  named: ProductHit[]
  found: Rated
  score: number
}

export async function matchProducts({ text, asking, vector, tools }: Context): Promise<ProductMatch> {
  const { products } = tools
  const beyond = await products.readBeyond(asking.topic, asking)
  await nextTurn()
  const named = await products.namedIn(text, beyond)
  const found = await products.rate(asking.topic, vector, beyond)
  const best = { score: maxOf(found.scores), words: maxOf(found.words), meaning: maxOf(found.meanings) }
  const score = scoreOfShop({ text, asking, aspect: readAspect(text), best, named: named[0]?.words })
  return { named, found, score }
}

const maxOf = (marks: Float64Array): number => marks.reduce((max, mark) => Math.max(max, mark), 0)
