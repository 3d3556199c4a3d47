import { problemsIn } from '../../ui/form/savedForm.rules.ts'
import type { KindName } from '../kinds.rules.ts'
import { readPrice } from '../price.rules.ts'
import { NewProduct } from './newProduct.contract.ts'

/** If `delivery` is empty, the category determines the kind of goods. */
export type AddProductValues = {
  title: string
  description: string
  price: string
  categoryId: string
  delivery: KindName | ''
}

export const EMPTY: AddProductValues = { title: '', description: '', price: '', categoryId: '', delivery: '' }

const asked = ({ title, description, price, categoryId }: AddProductValues) => ({
  ...{ title, description, categoryId },
  price: readPrice(price),
})

const NAMED = 'named after its file'

/** Drafts of several files take their titles from the files. */
export const problemsOf = (values: AddProductValues, isNamedByFile = false) =>
  problemsIn(NewProduct.safeParse(asked(isNamedByFile ? { ...values, title: NAMED } : values)))

export const readProduct = (values: AddProductValues): NewProduct => NewProduct.parse(asked(values))

export const readProductOfFile = (values: AddProductValues, fileName: string): NewProduct =>
  NewProduct.parse(asked({ ...values, title: titleOfFile(fileName) }))

/** Kinds whose goods are files. Codes, lessons and the parts of a bundle are added after the product. */
export const takesFile = (kind: KindName | ''): kind is '' | 'file' | 'license' =>
  kind === '' || kind === 'file' || kind === 'license'

type Many = { isEach: boolean; delivery: KindName | ''; more: unknown[] }

/** Returns whether each of many files becomes a draft. Kinds without files have no such drafts. */
export const isEachADraft = ({ isEach, delivery, more }: Many): boolean =>
  isEach && takesFile(delivery) && more.length > 0

const MAX_TITLE = 200

/** Returns 'Night trains' for 'Night_trains.mp3'. */
export function titleOfFile(fileName: string): string {
  const stem = fileName
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/[_\p{Cc}]/gu, ' ')
    .trim()
  return (stem || fileName.trim() || 'Untitled').slice(0, MAX_TITLE).trim()
}
