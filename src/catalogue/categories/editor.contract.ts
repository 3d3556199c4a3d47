import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { oneLine } from '../../kit/text.rules.ts'
import { CategoryId } from '../catalogue.contract.ts'

/** Accepts any id in this format, so that an unknown category ends in 404, not in 400. */
const Id = z.string().check(z.regex(/^[a-z0-9-]{1,41}$/))

const Words = z.strictObject({
  name: oneLine('Name is required').check(z.minLength(1, 'Name is required'), z.maxLength(60, 'At most 60 characters')),
  icon: z.string().check(z.regex(/^[a-z]{2,20}$/)),
  /** Goods like gift cards: fraud rules are stricter, and a recent bonus cannot pay for them. */
  isCash: z.boolean(),
  earnsBonus: z.boolean(),
  /** Sellers may upload programs in this category. */
  sellsPrograms: z.boolean(),
})

export type EditedCategory = z.infer<typeof EditedCategory>
export const EditedCategory = z.extend(Words, {
  id: CategoryId,
  /** Includes products that are not on sale. Staff cannot delete a category with products. */
  hasProducts: z.boolean(),
})

export type CategoryBook = z.infer<typeof CategoryBook>
/** `icons` has the SVG path data of each available icon, for a view box of 24 by 24. */
export const CategoryBook = z.object({
  categories: z.array(EditedCategory),
  icons: z.record(z.string(), z.string()),
})

export const getCategoryBook = endpoint('GET /api/admin/categories', {
  access: 'admin',
  about: 'All categories with their flags, in the order of the shop, and the icons to choose from.',
  reply: CategoryBook,
})

export const addCategory = endpoint('POST /api/admin/categories', {
  access: 'admin',
  about: 'Adds a category at the end. Its id comes from the name and never changes.',
  input: Words,
  reply: CategoryBook,
  status: 201,
})

export const changeCategory = endpoint('PUT /api/admin/categories/:id', {
  access: 'admin',
  about: 'Changes name, icon and flags of a category. The flags hold from the next order on.',
  input: z.extend(Words, { id: Id }),
  reply: CategoryBook,
})

export const orderCategories = endpoint('PUT /api/admin/category-order', {
  access: 'admin',
  about: 'Sets the order of the shop: the ids of all categories.',
  input: z.strictObject({ ids: z.array(CategoryId).check(z.minLength(1), z.maxLength(200)) }),
  reply: CategoryBook,
})

export const removeCategory = endpoint('DELETE /api/admin/categories/:id', {
  access: 'admin',
  about: 'Removes a category that never had a product.',
  input: z.strictObject({ id: Id }),
  reply: CategoryBook,
})
