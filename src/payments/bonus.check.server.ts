import type pg from 'pg'
import { usd } from '../localisation/usd.rules.ts'
import { type Finding, ok } from '../kit/health/finding.rules.ts'
import type { PaymentsConfig } from './payments.settings.server.ts'

export async function checkBonus(
  client: Pick<pg.Pool, 'query'>,
  { bonus }: Pick<PaymentsConfig, 'bonus'>,
): Promise<Finding> {
  if (bonus.percent === 0) return ok('bonus', 'none')
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM categories WHERE NOT earns_bonus ORDER BY position',
  )
  const but = rows.length > 0 ? `, nothing on ${rows.map(({ id }) => id).join(', ')}` : ''
  return ok('bonus', `${bonus.percent} % up to ${usd(bonus.capCents)}${but}`)
}
