import { priceProblem, readPrice } from '../catalogue/price.rules.ts'
import type { OwnDetail } from './selling.contract.ts'

/** What the form of a product edits. `imageUrl` is the address of an upload or of the present image. */
export type Values = Pick<OwnDetail, 'title' | 'price' | 'categoryId' | 'imageUrl'> & { description: string }
export type FieldName = keyof Values

export const FIELD_NAMES: Record<FieldName, string> = {
  title: 'Title',
  price: 'Price',
  categoryId: 'Category',
  description: 'Description',
  imageUrl: 'Image',
}
const FIELDS = Object.keys(FIELD_NAMES) as FieldName[]

export const EMPTY: Values = { title: '', price: '', categoryId: '', imageUrl: null, description: '' }

export const valuesOf = ({ title, price, categoryId, imageUrl, description }: OwnDetail): Values => ({
  ...{ title, price, categoryId, imageUrl, description: description ?? '' },
})

export const changedFields = (base: Values, values: Values): FieldName[] =>
  FIELDS.filter((name) => values[name] !== base[name])

/**
 * Another edit was saved as `theirs`. Fields that this form left alone take the saved value; those that both changed keep
 * what was typed and are named, so that the seller chooses.
 */
export function mergeEdits(base: Values, values: Values, theirs: Values): { values: Values; both: FieldName[] } {
  const untouched = FIELDS.filter((name) => values[name] === base[name])
  const taken = Object.fromEntries(untouched.map((name) => [name, theirs[name]])) as Partial<Values>
  const both = FIELDS.filter((name) => values[name] !== base[name])
    .filter((name) => theirs[name] !== base[name])
    .filter((name) => theirs[name] !== values[name])
  return { values: { ...values, ...taken }, both }
}

/** The fault of each field. The server checks the same. */
export function problemsOf({ title, price, categoryId }: Values): Partial<Record<FieldName, string>> {
  const wrongPrice = price.trim() === '' ? 'Price is required' : priceProblem(readPrice(price))
  return {
    ...(title.trim() === '' && { title: 'Title is required' }),
    ...(wrongPrice && { price: wrongPrice }),
    ...(categoryId === '' && { categoryId: 'Category is required' }),
  }
}

export type Mark = 'bold' | 'italic' | 'list' | 'link'
/** A replacement of the part of a text from `from` to `to`; the selection is what the seller types next. */
type Replacement = { from: number; to: number; text: string; selection: [start: number, end: number] }

/** Puts a mark of Markdown around the selected part of a text, or around words that stand in for it. */
export function markText(mark: Mark, text: string, start: number, end: number): Replacement {
  const chosen = text.slice(start, end)
  const around = (before: string, inner: string, after: string): Replacement => {
    const at = start + before.length
    return { from: start, to: end, text: before + inner + after, selection: [at, at + inner.length] }
  }
  if (mark === 'bold') return around('**', chosen || 'bold text', '**')
  if (mark === 'italic') return around('*', chosen || 'italic text', '*')
  if (mark === 'link') return around('[', chosen || 'link text', '](https://)')
  const from = text.lastIndexOf('\n', start - 1) + 1
  const listed = text.slice(from, end).replace(/^/gm, '- ')
  return { from, to: end, text: listed, selection: [from + listed.length, from + listed.length] }
}
