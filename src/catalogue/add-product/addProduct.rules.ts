import type { FieldErrors, Resolver, UseFormReturn } from 'react-hook-form'
import { readPrice } from '../price.rules.ts'
import { NewProduct } from './newProduct.contract.ts'

export type AddProductValues = { title: string; description: string; price: string; categoryId: string }
export type AddProductForm = UseFormReturn<AddProductValues, unknown, NewProduct>

export const EMPTY: AddProductValues = { title: '', description: '', price: '', categoryId: '' }

export const resolver: Resolver<AddProductValues, unknown, NewProduct> = (values) => {
  const read = NewProduct.safeParse({ ...values, price: readPrice(values.price) })
  if (read.success) return { values: read.data, errors: {} }
  const errors: FieldErrors<AddProductValues> = {}
  for (const { path, message } of read.error.issues)
    errors[path[0] as keyof AddProductValues] ??= { type: 'invalid', message }
  return { values: {}, errors }
}
