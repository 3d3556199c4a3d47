import * as z from 'zod/mini'

export const CASE_STATES = ['seller', 'staff', 'refunding', 'replaced', 'refunded', 'rejected', 'over'] as const

export type CodeReport = z.infer<typeof CodeReport>
/** The owner's view of a case. `answerBy`: the seller's deadline. */
export const CodeReport = z.object({
  state: z.enum(CASE_STATES),
  answerBy: z.string(),
  words: z.string(),
})
