import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBackup } from './work.checks.server.ts'

const alerts = readFileSync(join(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml'), 'utf8')

test('calls a backup old after the same number of days as the alert', async () => {
  const days = Number(/min\(primo_backup_age_seconds\) > (\d+) \* 86400/.exec(alerts)?.[1])
  const gradeAfter = async (age: number) => {
    const query = async () => ({ rows: [{ days: age, store: 's3' }], fields: [{ name: 'days' }, { name: 'store' }] })
    return (await checkBackup({ query } as never)).grade
  }
  expect([await gradeAfter(days - 0.01), await gradeAfter(days + 0.01)]).toEqual(['ok', 'warn'])
})
