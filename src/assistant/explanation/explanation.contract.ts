import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type Explanation = z.infer<typeof Explanation>
export const Explanation = z.object({
  /** As a model wrote it: plain text, whatever it looks like. */
  text: z.string(),
  model: z.string(),
  /** The release that the error was last seen in when the model was asked. */
  release: z.string(),
  askedAt: z.string(),
})

export type ErrorExplanation = z.infer<typeof ErrorExplanation>
export const ErrorExplanation = z.object({
  /** Who is asked; null when no model is set up. */
  model: z.nullable(z.string()),
  explanation: z.nullable(Explanation),
})

export const getExplanation = endpoint('GET /api/admin/errors/:id/explanation', {
  access: 'admin',
  about: 'What a model made of the errors of one cause: of the release that had it last, or else the newest.',
  input: z.strictObject({ id: z.uuid() }),
  reply: ErrorExplanation,
})

export const explainError = endpoint('POST /api/admin/errors/:id/explanation', {
  access: 'admin',
  about:
    'Asks the model what happened, once for a cause and a release, or again with isAgain. It is sent the scrubbed report; 409 without a model, 429 when the hour’s budget is used up, 503 when it gives no answer.',
  input: z.strictObject({ id: z.uuid(), isAgain: z.optional(z.boolean()) }),
  reply: ErrorExplanation,
})
