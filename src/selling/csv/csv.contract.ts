import * as z from 'zod/mini'
import { CategoryId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

export const MAX_PRODUCTS = 10_000
export const MAX_BYTES = 20 * 1024 * 1024
export const IMPORTS_PATH = '/api/account/products/imports'
export const EXPORT_PATH = '/api/account/products.csv'

export const FORMATS = ['primo', 'gumroad', 'shopify', 'woocommerce'] as const
export type Format = (typeof FORMATS)[number]

/** `ready` becomes a draft, `known` exists already as a product, `bad` cannot become a product. */
export type RowState = 'ready' | 'bad' | 'known'
export const ROW_VIEWS = ['ready', 'noted', 'bad', 'known'] as const
export type RowView = (typeof ROW_VIEWS)[number]

export type Import = z.infer<typeof Import>
export const Import = z.object({
  id: z.uuid(),
  fileName: z.string(),
  format: z.enum(FORMATS),
  state: z.enum(['reading', 'preview', 'running', 'done', 'failed', 'undone']),
  columnsLeft: z.array(z.string()),
  ready: z.number(),
  known: z.number(),
  bad: z.number(),
  /** Products that are imported without some of their variants. `ready` includes them. */
  noted: z.number(),
  made: z.number(),
})

export type ImportRow = z.infer<typeof ImportRow>
export const ImportRow = z.object({
  /** The row number in a spreadsheet. The header is row 1. */
  number: z.number(),
  title: z.string(),
  price: z.nullable(z.string()),
  /** Suggested price if buyers choose the price; `price` is then the minimum. */
  suggested: z.nullable(z.string()),
  categoryId: z.nullable(CategoryId),
  problem: z.nullable(z.string()),
  note: z.nullable(z.string()),
})

const One = z.strictObject({ id: z.uuid() })

export const getImport = endpoint('GET /api/account/products/imports/:id', {
  access: 'member',
  about: 'What a file of products holds, and how far its import is.',
  input: One,
  reply: Import,
})

export const listImportRows = endpoint('GET /api/account/products/imports/:id/rows', {
  access: 'member',
  about:
    'Lists rows of a file that are ready, noted, bad or known, 50 at a time. `after` is the number of the last row.',
  input: z.extend(One, {
    state: z.enum(ROW_VIEWS),
    after: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_000_000_000))),
  }),
  reply: z.array(ImportRow),
})

export const startImport = endpoint('POST /api/account/products/imports/:id/start', {
  access: 'member',
  about:
    'Makes drafts of the rows that are ready, all or none. 409 `bad_rows` if the file has bad rows and `skipsBad` is false.',
  input: z.extend(One, { skipsBad: z.boolean() }),
  reply: Import,
  status: 202,
})

export const undoImport = endpoint('POST /api/account/products/imports/:id/undo', {
  access: 'member',
  about: 'Deletes the drafts of an import that were not changed since.',
  input: One,
  reply: z.object({ deleted: z.number(), kept: z.number() }),
})
