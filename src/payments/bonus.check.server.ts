import type pg from 'pg'
import { CASH_CATEGORIES } from '../risk/cash.rules.ts'
import { Failure } from '../kit/failure.ts'
import { usd } from '../localisation/usd.rules.ts'
import { fail, type Finding, ok } from '../monitoring/health/finding.rules.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'

type Asked = Pick<pg.Pool, 'query'>
type Terms = Pick<PaymentsConfig, 'bonus'>

/** A misspelled category would earn the bonus that it is excluded from. */
export async function checkBonus(client: Asked, { bonus }: Terms): Promise<Finding> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM categories ORDER BY position')
  const ids = rows.map(({ id }) => id)
  // a shop may lack the categories of the default
  const unknown = bonus.excluded.filter((id) => !ids.includes(id) && !CASH_CATEGORIES.includes(id))
  if (unknown.length > 0)
    return fail(
      'bonus',
      `BONUS_EXCLUDED: there is no category ${unknown.map((id) => `"${id}"`).join(', ')}`,
      `give none, or any of ${ids.join(', ')}`,
    )
  if (bonus.percent === 0) return ok('bonus', 'none')
  const but = bonus.excluded.length > 0 ? `, nothing on ${bonus.excluded.join(', ')}` : ''
  return ok('bonus', `${bonus.percent} % up to ${usd(bonus.capCents)}${but}`)
}

/** Throws a Failure of one line. */
export async function refuseWrongBonus(client: Asked, terms: Terms): Promise<void> {
  const { grade, says, mend } = await checkBonus(client, terms)
  if (grade === 'fail') throw new Failure(500, `${says}; ${mend}.`)
}
