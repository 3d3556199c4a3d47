import { expect, test } from 'vitest'
import { readinessOf } from './readiness.rules.ts'
import type { PartStatus } from './status.contract.ts'

const status: PartStatus[] = [
  { name: 'database', grade: 'ok' },
  { name: 'mail', grade: 'fail' },
  { name: 'backup', grade: 'warn' },
  { name: 'AI', grade: 'off' },
]
const mail = { name: 'Mail', state: 'does not work', mend: null }
const backup = { name: 'Backup', state: 'needs attention', mend: null }

test('counts a warning as not ready, names failing parts and omits parts that are off', () => {
  expect(readinessOf(status)).toEqual({ ready: 1, all: 3, isHealthy: false, parts: [mail] })
  expect(readinessOf(status, { isStaff: true }).parts).toEqual([mail, backup])
  expect(readinessOf([status[0]!, status[2]!])).toMatchObject({ ready: 1, all: 2, isHealthy: true, parts: [] })
})

test('shows everyone that a demo is a demo, and shows staff how to leave it', () => {
  const demo: PartStatus[] = [{ name: 'demo', grade: 'warn' }]
  expect(readinessOf(demo)).toMatchObject({ ready: 0, all: 1 })
  expect(readinessOf(demo).parts).toMatchObject([{ name: 'Demo', state: expect.stringContaining('demonstration') }])
  const details = [{ name: 'demo', grade: 'warn' as const, says: 'not set up', mend: 'set NODE_ENV' }]
  expect(readinessOf(demo, { details, isStaff: true }).parts).toMatchObject([{ mend: 'set NODE_ENV' }])
})

test('shows staff the cause and the next step of the current problem only', () => {
  const details = [
    { name: 'disk', grade: 'warn' as const, says: '900 MB free', mend: 'make room' },
    { name: 'mail', grade: 'fail' as const, says: 'refused', mend: 'correct SMTP_URL' },
  ]
  const { parts } = readinessOf(
    [
      { name: 'disk', grade: 'warn' },
      { name: 'mail', grade: 'ok' },
      { name: 'storage', grade: 'fail' },
    ],
    { details, isStaff: true },
  )
  expect(parts).toEqual([
    { name: 'Disk', state: '900 MB free', mend: 'make room' },
    { name: 'Storage', state: 'does not work', mend: null },
  ])
})

test('hides details but shows the next step while the database is unavailable', () => {
  const mendOf = (isStaff: boolean) => readinessOf([{ name: 'database', grade: 'fail' }], { isStaff }).parts[0]!.mend
  expect(mendOf(true)).toContain('Start it again')
  expect(mendOf(false)).toContain('Your cart and orders are safe')
})

test('reports a server that does not respond', () => {
  expect(readinessOf(null)).toMatchObject({ ready: 0, all: 1, parts: [{ name: 'Server', state: 'does not answer' }] })
})
