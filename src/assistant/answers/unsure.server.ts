import type { Draft, Frame } from './answer.ts'
import type { Context } from './context.server.ts'
import { draft } from './draft.rules.ts'

/** Answers that the assistant reads only English, in the customer's language too, and offers a person. */
export const readsEnglish = (inTheirs: string, frame: Frame | null): Draft =>
  draft({
    intent: 'language',
    confidence: 0.3,
    isUnsure: true,
    offersPerson: true,
    text: [
      inTheirs,
      'I read English only. Ask me in English about a product, an order or how the store works, or ask a person.',
    ]
      .filter(Boolean)
      .join('\n'),
    frame,
  })

export const NOT_SURE =
  'I am not sure that I understand this, and I would rather not guess. I know the products here, your orders, and how the store works. A person can answer too.'

const ASKS_FOR_GOODS =
  /^(?:do|does) (?:you|the (?:store|shop)|this (?:store|shop)) (?:sell|carry|stock) (?!my\b|our\b|personal\b)/

/** Answers that the assistant does not know, with the nearest article. */
export function unsure(context: Context, confidence: number, slug: string | undefined): Draft {
  const asksForGoods = ASKS_FOR_GOODS.test(context.text)
  // For such a question, the nearest article would be about selling.
  const isNear = slug !== undefined && confidence >= 0.3 && !asksForGoods
  return draft({
    intent: 'unsure',
    confidence,
    isUnsure: true,
    offersPerson: true,
    text: asksForGoods
      ? 'I can’t find that among the products here. Try other words for it, or ask a person.'
      : isNear
        ? 'I am not sure that I understand this, and I would rather not guess. This article may be about it. A person can answer too.'
        : NOT_SURE,
    articles: isNear ? [slug] : [],
    frame: context.frame,
  })
}
