import { problemsIn } from '../../ui/form/savedForm.rules.ts'
import { readPrice } from '../price.rules.ts'
import { NewProduct } from './newProduct.contract.ts'

export type AddProductValues = { title: string; description: string; price: string; categoryId: string }

export const EMPTY: AddProductValues = { title: '', description: '', price: '', categoryId: '' }

const asked = (values: AddProductValues) => ({ ...values, price: readPrice(values.price) })

export const problemsOf = (values: AddProductValues) => problemsIn(NewProduct.safeParse(asked(values)))
export const readProduct = (values: AddProductValues): NewProduct => NewProduct.parse(asked(values))
