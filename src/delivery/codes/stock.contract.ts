import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'
import { CODE_PARTS } from './codeLines.rules.ts'

export const MAX_CODES = 100_000
export const MAX_BYTES = 24 * 1024 * 1024

export const CODE_STATES = ['free', 'held', 'sold', 'void', 'expired'] as const
export type CodeState = (typeof CODE_STATES)[number]

/** `repeated`: an earlier line has the same code. `known`: the shop has the code. `pin`: the PIN cell is empty. */
export const LINE_PROBLEMS = ['repeated', 'known', 'empty', 'long', 'signs', 'day', 'pin'] as const

export type CodeList = z.infer<typeof CodeList>
export const CodeList = z.object({
  fresh: z.number(),
  counts: z.record(z.enum(LINE_PROBLEMS), z.number()),
  /** The first 100. `before` is the number of the line with the same code. */
  problems: z.array(z.object({ line: z.number(), why: z.enum(LINE_PROBLEMS), before: z.optional(z.number()) })),
  /** Columns of a table, with the part of a code that each contains. Null: the column is not imported. */
  columns: z.array(z.object({ name: z.string(), as: z.nullable(z.enum(CODE_PARTS)) })),
})

const One = z.strictObject({ id: ProductId })

export type CodeStock = z.infer<typeof CodeStock>
export const CodeStock = z.object({
  counts: z.record(z.enum(CODE_STATES), z.number()),
  /** The seller is notified when this many or fewer are left. */
  lowAt: z.number(),
  /** Newest first. `mask` shows the last digits of the code. */
  codes: z.array(
    z.object({
      id: z.uuid(),
      mask: z.string(),
      hasPin: z.boolean(),
      hasSerial: z.boolean(),
      state: z.enum(CODE_STATES),
      addedAt: z.string(),
      expiresAt: z.nullable(z.string()),
      /** The code was withdrawn and never revealed. */
      canReturn: z.boolean(),
    }),
  ),
  returnable: z.number(),
  next: z.nullable(z.number()),
})

export const getCodeStock = endpoint('GET /api/products/:id/codes', {
  access: 'member',
  about: 'The codes of a product of the caller, 50 at a time, with masks only.',
  input: z.extend(One, {
    state: z.optional(z.enum(CODE_STATES)),
    after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  }),
  reply: CodeStock,
})

export const voidCodes = endpoint('POST /api/products/:id/codes/void', {
  access: 'member',
  about: 'Takes a free code off sale; all free codes without `codeId`. Codes that are held or sold stay.',
  input: z.extend(One, { codeId: z.optional(z.uuid()) }),
  reply: z.object({ voided: z.number() }),
})

export const putCodesBack = endpoint('POST /api/products/:id/codes/return', {
  access: 'member',
  about:
    'Puts a withdrawn code that nobody has seen back on sale; all of them without `codeId`. Codes that were seen stay withdrawn.',
  input: z.extend(One, { codeId: z.optional(z.uuid()) }),
  reply: z.object({ returned: z.number() }),
})

export const MAX_LOW = 10_000

export const setLowStock = endpoint('PUT /api/products/:id/codes/low', {
  access: 'member',
  about: 'Chooses at how many codes the caller hears that a product runs low.',
  input: z.extend(One, { lowAt: z.number().check(z.int(), z.minimum(0), z.maximum(MAX_LOW)) }),
  reply: z.object({ lowAt: z.number() }),
})
