import { expect, test } from 'vitest'
import { checkTrialDatabase } from './machine.checks.server.ts'

test.each([
  ['production', undefined, 'warn'],
  ['production', 'postgres://a@b/c', null],
  ['development', undefined, null],
] as const)('grades the database in %s with DATABASE_URL %s as %s', (mode, databaseUrl, grade) => {
  const finding = checkTrialDatabase({ mode, databaseUrl })
  expect(finding?.grade ?? null).toBe(grade)
  if (finding) expect(finding.mend).toContain('DATABASE_URL')
})
