import * as z from 'zod/mini'

export const CASE_STATES = ['seller', 'staff', 'refunding', 'replaced', 'refunded', 'rejected', 'over'] as const

export type CodeReport = z.infer<typeof CodeReport>
/** What the owner of a code sees of its case. `answerBy`: until when the seller answers. */
export const CodeReport = z.object({
  state: z.enum(CASE_STATES),
  answerBy: z.string(),
  words: z.string(),
})
