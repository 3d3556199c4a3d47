type Intent = { intent: string; score: number }

/** Intents of questions about the member's own orders and money. */
export const PURCHASE_INTENTS = new Set([
  'orders',
  'pending',
  'failed',
  'refunded',
  'spent',
  'credit',
  'owned',
  'files',
  'code',
])

const HELP = 'help:'
export const isArticle = (intent: string): boolean => intent.startsWith(HELP)
export const slugOf = (intent: string): string => intent.slice(HELP.length)

/** Returns true if the nearest example belongs to an article and scores at least `least`. */
export const hasArticle = (best: Intent | null, least: number): best is Intent =>
  best !== null && best.score >= least && isArticle(best.intent)

/** Returns true if the nearest example is about the member's orders and scores at least `least`. */
export const hasPurchases = (best: Intent | null, least: number): best is Intent =>
  best !== null && best.score >= least && PURCHASE_INTENTS.has(best.intent)
