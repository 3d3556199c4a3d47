import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'

/** A run of text: plain, strong, code, or an internal or external link. */
export type Words = z.infer<typeof Words>
export const Words = z.object({
  text: z.string(),
  look: z.optional(z.enum(['strong', 'code'])),
  href: z.optional(z.string()),
})

export type Block = z.infer<typeof Block>
export const Block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), words: z.array(Words) }),
  z.object({ kind: z.literal('paragraph'), words: z.array(Words) }),
  z.object({ kind: z.literal('list'), isOrdered: z.boolean(), items: z.array(z.array(Words)) }),
])

export type ArticleSummary = z.infer<typeof ArticleSummary>
export const ArticleSummary = z.object({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  topic: z.string(),
})

export type Article = z.infer<typeof Article>
export const Article = z.object({ ...ArticleSummary.shape, blocks: z.array(Block), related: z.array(ArticleSummary) })

export const MAX_QUESTION_LENGTH = 200

export const listHelp = endpoint('GET /api/help', {
  access: 'member',
  about: 'The help articles by topic; with `q` those that answer it, best first.',
  input: z.strictObject({ q: z.optional(z.string().check(z.maxLength(MAX_QUESTION_LENGTH))) }),
  reply: z.array(ArticleSummary),
})

export const getHelpArticle = endpoint('GET /api/help/:slug', {
  access: 'member',
  about: 'One help article as blocks of words.',
  input: z.strictObject({ slug: z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)) }),
  reply: Article,
})
