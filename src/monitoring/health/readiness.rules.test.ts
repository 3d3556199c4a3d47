import { expect, test } from 'vitest'
import { readinessOf } from './readiness.rules.ts'

test('counts working parts, names failing ones and leaves out parts that are off', () => {
  expect(
    readinessOf([
      { name: 'database', grade: 'ok' },
      { name: 'mail', grade: 'fail' },
      { name: 'backup', grade: 'warn' },
      { name: 'AI', grade: 'off' },
    ]),
  ).toEqual({
    ready: 2,
    all: 3,
    parts: [
      { name: 'Mail', state: 'does not work', mend: null },
      { name: 'Backup', state: 'needs attention', mend: null },
    ],
  })
})

test('tells staff the cause and the next step of the current trouble only', () => {
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

test('hides details but shows the next step while the database is away', () => {
  const mendOf = (isStaff: boolean) => readinessOf([{ name: 'database', grade: 'fail' }], { isStaff }).parts[0]!.mend
  expect(mendOf(true)).toContain('Start it again')
  expect(mendOf(false)).toContain('Your cart and orders are safe')
})

test('reports a server that does not answer', () => {
  expect(readinessOf(null)).toMatchObject({ ready: 0, all: 1, parts: [{ name: 'Server', state: 'does not answer' }] })
})
