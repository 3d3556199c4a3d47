import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { decimalOf } from '../../kit/sql/json.server.ts'
import type { DiscountProblem } from '../cart.contract.ts'
import { readCart } from '../cart.store.server.ts'
import { applyDiscount, removeDiscount } from './discount.contract.ts'
import { UNFIT } from './discount.store.server.ts'
import {
  addDiscount,
  changeDiscount,
  type DiscountWords,
  getOwnDiscount,
  listOwnDiscounts,
  removeDiscountCode,
  setDiscountState,
} from './ownDiscounts.contract.ts'
import {
  deleteDiscount,
  insertDiscount,
  moveDiscount,
  readDiscount,
  readDiscounts,
  updateDiscount,
} from './ownDiscounts.store.server.ts'
import { describeProblem } from './problem.rules.ts'

// all nodes count together: a code must not be guessed
const guesses: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'account', count: 60, seconds: 3600, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]
const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const discountRoutes: Route[] = [
  handle(applyDiscount, { limits: guesses }, async ({ code, productId }, { user, pool }) => {
    const fitting = await findFitting(pool, user.id, code, productId ?? null)
    const [first] = fitting
    if (!first) throw UNFIT
    const kept = fitting.filter(({ problem }) => problem === null)
    if (kept.length === 0) throw new Failure(409, describeProblem(code, first.problem!), 'discount_over')
    await keep(
      pool,
      user.id,
      kept.map(({ id }) => id),
    )
    const { id, percent, amount } = kept[0]!
    return { discount: { id, code, percent, amount }, cart: await readCart(pool, user.id) }
  }),

  handle(removeDiscount, { limits: changes }, async ({ id }, { user, pool }) => {
    await drop(pool, user.id, id)
    return readCart(pool, user.id)
  }),

  handle(listOwnDiscounts, { limits: changes }, (asked, { user, pool }) => readDiscounts(pool, user.id, asked)),

  handle(getOwnDiscount, { limits: changes }, ({ id }, { user, pool }) =>
    readDiscount(pool, { sellerId: user.id, id }),
  ),

  handle(addDiscount, { limits: changes }, async (words, { user, db, pool }) => {
    checkWords(words)
    return readDiscount(pool, { sellerId: user.id, id: await insertDiscount(db, user.id, words) })
  }),

  handle(changeDiscount, { limits: changes }, async ({ id, version, ...words }, { user, db, pool }) => {
    checkWords(words)
    const own = { sellerId: user.id, id }
    await updateDiscount(db, own, version, words)
    return readDiscount(pool, own)
  }),

  handle(setDiscountState, { limits: changes }, async ({ id, state }, { user, db, pool }) => {
    const own = { sellerId: user.id, id }
    await moveDiscount(db, own, state)
    return readDiscount(pool, own)
  }),

  handle(removeDiscountCode, { limits: changes }, async ({ id }, { user, db }) => {
    await deleteDiscount(db, { sellerId: user.id, id })
    return {}
  }),
]

function checkWords({ percent, amount, startsAt, endsAt }: DiscountWords) {
  if ((percent === null) === (amount === null)) throw new Failure(400, 'Give a percentage or an amount.', 'invalid')
  if (startsAt !== null && endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt))
    throw new Failure(400, 'The last day is before the first.', 'invalid')
}

type Fitting = { id: string; percent: number | null; amount: string | null; problem: DiscountProblem | null }

/** The codes written so that fit the product, or without one a product of the cart. */
const findFitting = statement<Fitting, [userId: string, code: string, productId: string | null]>(
  'discounts_fitting',
  `WITH wanted AS MATERIALIZED (
    SELECT p.id, p.variant_of, p.seller_id FROM (SELECT product_id AS id FROM cart_items WHERE user_id = $1 AND $3::uuid IS NULL
      UNION ALL SELECT $3::uuid WHERE $3 IS NOT NULL) w JOIN products p USING (id) WHERE p.deleted_at IS NULL)
  SELECT d.id, d.percent, ${decimalOf('d.amount_cents')} AS amount, discount_problem(d, $1) AS problem FROM discounts d
  WHERE d.code = $2 AND d.seller_id IN (SELECT seller_id FROM wanted) AND (d.is_for_all OR EXISTS (
    SELECT FROM discount_products x WHERE x.discount_id = d.id AND x.product_id IN (SELECT id FROM wanted UNION ALL SELECT variant_of FROM wanted)))
  ORDER BY d.id`,
)

const keep = statement<Record<string, never>, [userId: string, ids: string[]]>(
  'discounts_keep',
  `INSERT INTO cart_discounts (user_id, seller_id, discount_id)
    SELECT $1, d.seller_id, d.id FROM discounts d WHERE d.id = ANY ($2::uuid[]) ORDER BY d.seller_id
    ON CONFLICT (user_id, seller_id) DO UPDATE SET discount_id = excluded.discount_id`,
)

const drop = statement<Record<string, never>, [userId: string, id: string]>(
  'discounts_drop',
  `DELETE FROM cart_discounts WHERE user_id = $1 AND discount_id = $2`,
)
