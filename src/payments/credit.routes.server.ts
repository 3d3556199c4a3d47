import { handle, type Route } from '../kit/handle.server.ts'
import { toDecimal } from '../kit/money.ts'
import { usd } from '../localisation/usd.rules.ts'
import { only, required } from '../kit/values/required.ts'
import { type Credit, getCredit, MANY_ENTRIES } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './bonus/promise.rules.ts'
import { BONUS_HOLD_DAYS, spendableCents } from './credit.rules.ts'
import * as statements from './credit.statements.server.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'
import type { Provider } from './provider.ts'

export function creditRoutes({ bonus: { percent, capCents } }: PaymentsConfig, list: Provider[]): Route[] {
  const terms = { percent, cap: toDecimal(capCents) }
  return [
    handle(getCredit, async (_, { user, pool }) => {
      const userId = user.id
      const [credit, entries, categories] = await Promise.all([
        statements.readCredit(pool, { userId, holdDays: BONUS_HOLD_DAYS }).then(only),
        statements.listEntries(pool, { userId, most: MANY_ENTRIES }),
        statements.listCategories(pool, {}),
      ])
      return {
        balance: toDecimal(spendableCents(credit.balanceCents)),
        debt: toDecimal(spendableCents(-credit.balanceCents)),
        held: toHeld(credit, categories),
        bonus:
          percent > 0 && credit.isNewBuyer
            ? { ...terms, ...toBonus(credit, categories), anonymousMethods: anonymousIn(list) }
            : null,
        entries: entries.map(toEntry),
      }
    }),
  ]
}

const anonymousIn = (list: Provider[]) => list.filter((one) => !one.identifiesPayer).map(({ name }) => name)

type Category = statements.ListCategoriesRow

const cashOf = (categories: Category[]) => categories.filter(({ isCash }) => isCash).map(({ name }) => name)

const toHeld = ({ heldCents, heldUntil }: statements.ReadCreditRow, categories: Category[]): Credit['held'] =>
  heldCents === null
    ? null
    : {
        amount: toDecimal(heldCents),
        until: required(heldUntil, 'the end of a hold').toISOString(),
        cash: cashOf(categories),
      }

function toBonus({ isVerified }: statements.ReadCreditRow, categories: Category[]) {
  const excluded = categories.filter(({ earnsBonus }) => !earnsBonus)
  return {
    needsVerifiedEmail: !isVerified,
    excluded: excluded.map(({ name }) => name),
    excludedIds: excluded.map(({ id }) => id),
    cash: cashOf(categories),
  }
}

const toEntry = ({ id, kind, amountCents, orderId, why, createdAt }: statements.ListEntriesRow) => ({
  ...{ id: String(id), kind, orderId, why },
  amount: toDecimal(amountCents),
  at: createdAt.toISOString(),
})

/** Cached pages name no categories, because the names could be stale. */
const UNNAMED = { excluded: ['categories that your cart names'], cash: ['goods as good as money'] }

export const promiseOf = ({ bonus: { percent, capCents } }: Pick<PaymentsConfig, 'bonus'>, list: Provider[]) =>
  percent === 0
    ? null
    : {
        title: bonusTitle(percent),
        cap: usd(capCents),
        rule: bonusRule({ percent, cap: toDecimal(capCents), ...UNNAMED, anonymousMethods: anonymousIn(list) }),
      }
