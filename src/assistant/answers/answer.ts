import type { PriceRange } from './asking.rules.ts'
import type { Sort } from '../../catalogue/catalogue.contract.ts'

/** The subject of the last answer. A follow-up question refers to it. */
export type Frame = {
  kind: 'products' | 'orders' | 'help'
  intent: string
  topic?: string[]
  categoryId?: string | null
  price?: PriceRange | null
  sort?: Sort | null
  /** The products or orders that the answer showed. */
  ids?: string[]
  /** The single product of the previous answer. */
  before?: string[]
  slug?: string
}

/** An answer with its supporting facts, before it is stored. */
export type Draft = {
  intent: string
  /** 0 to 1 */
  confidence: number
  text: string
  products: string[]
  articles: string[]
  orders: string[]
  isUnsure: boolean
  wantsPerson: boolean
  /** A person should handle the problem. */
  offersPerson: boolean
  /** The tools that ran, and the pages of the facts. */
  tools: string[]
  sources: string[]
  frame: Frame | null
}
