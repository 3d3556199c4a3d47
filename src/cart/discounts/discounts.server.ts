import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { readCart } from '../cart.store.server.ts'
import { applyDiscount, removeDiscount } from './discount.contract.ts'
import * as statements from './discount.statements.server.ts'
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

// shared by all nodes, so that nobody can guess codes
const guesses: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'account', count: 60, seconds: 3600, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]
const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const discountRoutes: Route[] = [
  handle(applyDiscount, { limits: guesses }, async ({ code, productId }, { user, pool }) => {
    const fitting = await statements.listFitting(pool, { userId: user.id, code, productId: productId ?? null })
    const [first] = fitting
    if (!first) throw UNFIT
    const kept = fitting.filter(({ problem }) => problem === null)
    if (kept.length === 0) throw new Failure(409, describeProblem(code, first.problem!), 'discount_over')
    await statements.keepInCart(pool, { userId: user.id, ids: kept.map(({ id }) => id) })
    const { id, percent, amount } = kept[0]!
    return { discount: { id, code, percent, amount }, cart: await readCart(pool, user.id) }
  }),

  handle(removeDiscount, { limits: changes }, async ({ id }, { user, pool }) => {
    await statements.dropFromCart(pool, { userId: user.id, discountId: id })
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
