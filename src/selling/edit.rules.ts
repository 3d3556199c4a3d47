import { askingProblems } from '../catalogue/price/asking.rules.ts'
import { readPrice } from '../catalogue/price.rules.ts'
import type { OwnDetail } from './selling.contract.ts'

/** The fields of the product form. `imageUrl` is the URL of a new upload or of the current image. */
export type Values = Pick<OwnDetail, 'title' | 'price' | 'categoryId' | 'imageUrl'> & {
  description: string
  /** Null for a fixed price. Otherwise buyers choose the price, and `price` is the minimum. */
  suggested: string | null
}
export type FieldName = keyof Values

export const FIELD_NAMES: Record<FieldName, string> = {
  title: 'Title',
  price: 'Price',
  suggested: 'Suggested price',
  categoryId: 'Category',
  description: 'Description',
  imageUrl: 'Image',
}

export const EMPTY: Values = { title: '', price: '', suggested: null, categoryId: '', description: '', imageUrl: null }

export const valuesOf = ({ title, price, suggested = null, categoryId, description, imageUrl }: OwnDetail): Values => ({
  ...{ title, price, suggested, categoryId, description: description ?? '', imageUrl },
})

export const readAsking = ({ price, suggested }: Pick<Values, 'price' | 'suggested'>) => ({
  price: readPrice(price),
  suggested: suggested === null ? null : readPrice(suggested),
})

export function problemsOf({ title, categoryId, ...typed }: Values): Partial<Record<FieldName, string>> {
  const wrong = typed.price.trim() === '' ? { price: 'Price is required' } : askingProblems(readAsking(typed))
  return {
    ...(title.trim() === '' && { title: 'Title is required' }),
    ...wrong,
    ...(categoryId === '' && { categoryId: 'Category is required' }),
  }
}

export type Mark = 'bold' | 'italic' | 'list' | 'link'
/** Replaces the text between `from` and `to`, then selects `selection`, so that typing replaces it. */
type Replacement = { from: number; to: number; text: string; selection: [start: number, end: number] }

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
