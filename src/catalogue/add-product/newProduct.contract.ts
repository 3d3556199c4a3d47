import * as z from 'zod/mini'
import { priceProblem } from '../price.rules.ts'
import { oneLine, tidy } from '../../kit/text.rules.ts'

// Separate from catalogue.contract.ts, which every page loads, because only the form needs this schema.

// lets the bundler remove it from pages that use no schema with it
/* @__NO_SIDE_EFFECTS__ */
const checkedPrice = (terms: { mayBeFree: boolean }) =>
  z.string('Price is required').check(z.trim(), z.minLength(1, 'Price is required'), ({ value, issues }) => {
    const message = value === '' ? null : priceProblem(value, terms)
    if (message) issues.push({ code: 'custom', message, input: value })
  })

export type NewProduct = z.infer<typeof NewProduct>
export const NewProduct = z.strictObject({
  title: oneLine('Title is required').check(
    z.minLength(1, 'Title is required'),
    z.maxLength(200, 'At most 200 characters'),
  ),
  description: z.optional(z.nullable(z.string().check(tidy(), z.maxLength(10_000, 'At most 10,000 characters')))),
  price: checkedPrice({ mayBeFree: false }),
  categoryId: z
    .string('Category is required')
    .check(z.minLength(1, 'Category is required'), z.regex(/^[a-z][a-z-]{1,40}$/, 'Category is required')),
})

export type AskedProduct = z.infer<typeof AskedProduct>
/** A product that may be free or whose buyers choose the price. They see `suggested`; `price` is the minimum. */
export const AskedProduct = z.extend(NewProduct, {
  price: checkedPrice({ mayBeFree: true }),
  suggested: z.optional(z.nullable(checkedPrice({ mayBeFree: false }))),
})
