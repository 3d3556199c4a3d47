import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

export type Explanation = z.infer<typeof Explanation>
export const Explanation = z.object({
  /** The model's answer as plain text, never as markup. */
  text: z.string(),
  model: z.string(),
  /** The last release with the error when the model was asked. */
  release: z.string(),
  askedAt: z.string(),
})

export type ErrorExplanation = z.infer<typeof ErrorExplanation>
export const ErrorExplanation = z.object({
  /** Null without a configured model. */
  model: z.nullable(z.string()),
  explanation: z.nullable(Explanation),
  /** The shop's built-in explanation of this class of errors. */
  known: z.nullable(z.object({ kind: z.string(), text: z.string() })),
})

export const getExplanation = endpoint('GET /api/admin/errors/:id/explanation', {
  access: 'admin',
  about: 'The model’s explanation of one cause: for its latest release if there is one, otherwise the newest.',
  input: z.strictObject({ id: z.uuid() }),
  reply: ErrorExplanation,
})

export const explainError = endpoint('POST /api/admin/errors/:id/explanation', {
  access: 'admin',
  about:
    'Explains a cause with the model, once for each release, or again with isAgain. The model receives the scrubbed report; 409 without a model, 429 when the hourly budget is used up, 503 without an answer.',
  input: z.strictObject({ id: z.uuid(), isAgain: z.optional(z.boolean()) }),
  reply: ErrorExplanation,
})
