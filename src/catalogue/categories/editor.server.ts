import { sql } from 'kysely'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { codeOf, type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { arrangeCategories } from './category.statements.server.ts'
import {
  addCategory,
  type CategoryBook,
  changeCategory,
  type EditedCategory,
  getCategoryBook,
  orderCategories,
  removeCategory,
} from './editor.contract.ts'
import icons from './icons.json' with { type: 'json' }

const NAME_TAKEN = new Failure(409, 'There is a category of this name.', 'name_taken')
const HAS_PRODUCTS = new Failure(409, 'There are products in this category, so it stays.', 'has_products')
const OTHERS = new Failure(409, 'The categories have changed meanwhile. Please look again.', 'categories_changed')

/** Administrators edit the categories. Database triggers notify all nodes. */
export const categoryRoutes: Route[] = [
  handle(getCategoryBook, (_, { db }) => readBook(db)),

  handle(addCategory, async (given, { user, db }) => {
    refuseUnknownIcon(given.icon)
    const id = idOf(given.name)
    await inTransaction(db, async (tx) => {
      const position = sql<number>`(SELECT coalesce(max(position), 0) + 1 FROM categories)`
      await tx
        .insertInto('categories')
        .values({ id, ...given, position })
        .execute()
      await recordAct(tx, { actorId: user.id, act: 'category.added', subjectId: id, details: detailsOf(given) })
    }).catch(refuseTaken)
    return readBook(db)
  }),

  handle(changeCategory, async ({ id, ...given }, { user, db }) => {
    refuseUnknownIcon(given.icon)
    await inTransaction(db, async (tx) => {
      const changed = await tx
        .updateTable('categories')
        .set(given)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      if (!changed) throw new Failure(404, 'Not found')
      await recordAct(tx, { actorId: user.id, act: 'category.changed', subjectId: id, details: detailsOf(given) })
    }).catch(refuseTaken)
    return readBook(db)
  }),

  handle(orderCategories, async ({ ids }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      const known = await tx.selectFrom('categories').select('id').orderBy('id').forUpdate().execute()
      if (ids.toSorted().join() !== known.map(({ id }) => id).join()) throw OTHERS
      await arrangeCategories(tx, { ids })
      await recordAct(tx, { actorId: user.id, act: 'category.ordered' })
    })
    return readBook(db)
  }),

  handle(removeCategory, async ({ id }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom('categories').where('id', '=', id).executeTakeFirst()
      if (numDeletedRows === 0n) throw new Failure(404, 'Not found')
      await recordAct(tx, { actorId: user.id, act: 'category.removed', subjectId: id })
    }).catch((error: unknown) => {
      // PostgreSQL 18 reports a deletion that ON DELETE RESTRICT refuses by the separate code 23001
      throw ['23503', '23001'].includes(codeOf(error)) ? HAS_PRODUCTS : error
    })
    return readBook(db)
  }),
]

async function readBook(db: Db): Promise<CategoryBook> {
  const categories = await db
    .selectFrom('categories as c')
    .select(['c.id', 'c.name', 'c.icon', 'c.isCash', 'c.earnsBonus', 'c.sellsPrograms'])
    .select((row) => row.exists(row.selectFrom('products').whereRef('categoryId', '=', 'c.id')).as('hasProducts'))
    .orderBy('c.position')
    .execute()
  return { categories: categories.map((one) => ({ ...one, hasProducts: Boolean(one.hasProducts) })), icons }
}

/** 'Prints & Maps' -> 'prints-maps' */
function idOf(name: string): string {
  const words = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 41)
    .replace(/-+$/, '')
  return words.length > 1 ? words : `category-${words || 'x'}`
}

const detailsOf = ({
  name,
  isCash,
  earnsBonus,
  sellsPrograms,
}: Omit<EditedCategory, 'id' | 'icon' | 'hasProducts'>) => ({
  name,
  cash: isCash ? 'yes' : 'no',
  bonus: earnsBonus ? 'yes' : 'no',
  programs: sellsPrograms ? 'yes' : 'no',
})

function refuseUnknownIcon(icon: string) {
  if (!Object.hasOwn(icons, icon)) throw new Failure(400, 'icon: Choose an icon', 'invalid')
}

function refuseTaken(error: unknown): never {
  throw codeOf(error) === '23505' ? NAME_TAKEN : error
}
