import type { PriceRange } from './asking.rules.ts'
import type { Sort } from '../../catalogue/catalogue.contract.ts'

/** What the last answer was about, so that the next question can go on with it. */
export type Frame = {
  kind: 'products' | 'orders' | 'help'
  intent: string
  topic?: string[]
  categoryId?: string | null
  price?: PriceRange | null
  sort?: Sort | null
  /** The products or orders that the answer showed. */
  ids?: string[]
  /** The single product of the answer before this one. */
  before?: string[]
  slug?: string
}

/** An answer with the facts it stands on, before it is stored. */
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
  /** Something went wrong that a person has to look at. */
  offersPerson: boolean
  /** The tools that ran, and the pages the facts come from. */
  tools: string[]
  sources: string[]
  frame: Frame | null
}
