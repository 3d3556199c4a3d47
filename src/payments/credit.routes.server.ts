import { statement } from '../kit/database.server.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import { toDecimal } from '../kit/money.ts'
import { decimalOf, isoOf } from '../kit/sql/json.server.ts'
import { HELD_BONUSES, isNewBuyer } from './bonus.server.ts'
import { getCredit, MANY_ENTRIES } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './credit.rules.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'
import { only } from '../kit/values/required.ts'

export function creditRoutes({ bonus: { percent, capCents } }: PaymentsConfig): Route[] {
  const terms = JSON.stringify({ percent, cap: toDecimal(capCents) })
  return [
    handle(getCredit, async (_, { user, pool }) => {
      const { json } = only(await readCredit(pool, user.id, percent > 0 ? terms : null, MANY_ENTRIES))
      return asJson(json)
    }),
  ]
}

const namesOf = (flag: string) =>
  `(SELECT coalesce(jsonb_agg(name ORDER BY position), '[]') FROM categories WHERE ${flag})`

/** `terms` of a bonus, or null in a shop without one. */
const readCredit = statement<{ json: string }, [userId: string, terms: string | null, entries: number]>(
  'credit_read',
  `SELECT json_build_object(
    'balance', ${decimalOf('greatest(a.cents, 0)')}, 'debt', ${decimalOf('greatest(-a.cents, 0)')},
    'held', (SELECT json_build_object('amount', ${decimalOf('cents')}, 'until', ${isoOf('until')},
        'cash', ${namesOf('is_cash')})
      FROM ${HELD_BONUSES} held WHERE user_id = u.id),
    'bonus', CASE WHEN ${isNewBuyer('NULL::uuid')} THEN $2::jsonb || jsonb_build_object(
      'needsVerifiedEmail', NOT u.email_verified,
      'excluded', ${namesOf('NOT earns_bonus')}, 'cash', ${namesOf('is_cash')},
      'excludedIds', (SELECT coalesce(jsonb_agg(id ORDER BY position), '[]') FROM categories WHERE NOT earns_bonus)) END,
    'entries', (SELECT coalesce(json_agg(json_build_object('id', id::text, 'kind', kind, 'orderId', order_id, 'why', why,
        'amount', CASE WHEN amount_cents < 0 THEN '-' ELSE '' END || ${decimalOf('abs(amount_cents)')}, 'at', ${isoOf('created_at')})
        ORDER BY e.id DESC), '[]')
      FROM (SELECT * FROM credit_entries WHERE user_id = u.id ORDER BY id DESC LIMIT $3) e))::text AS json
  FROM users u, LATERAL (SELECT coalesce((SELECT balance_cents FROM credit_accounts WHERE user_id = u.id), 0) AS cents) a
  WHERE u.id = $1`,
)

/** Pages that many share name no categories: they would show old ones. */
const UNNAMED = { excluded: ['categories that your cart names'], cash: ['goods as good as money'] }

export const promiseOf = ({ bonus: { percent, capCents } }: Pick<PaymentsConfig, 'bonus'>) =>
  percent === 0
    ? null
    : { title: bonusTitle(percent), rule: bonusRule({ percent, cap: toDecimal(capCents), ...UNNAMED }) }
