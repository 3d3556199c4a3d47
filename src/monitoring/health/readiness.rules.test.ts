import { expect, test } from 'vitest'
import { readinessOf } from './readiness.rules.ts'

test('what works counts, what does not is named, and what is not set up on purpose is left out', () => {
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

test('who may know more is told what is wrong and what to do, of this trouble and not of the last', () => {
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

test('while the database is away nobody is told details, and yet what to do', () => {
  const mendOf = (isStaff: boolean) => readinessOf([{ name: 'database', grade: 'fail' }], { isStaff }).parts[0]!.mend
  expect(mendOf(true)).toContain('Start it again')
  expect(mendOf(false)).toContain('Your cart and orders are safe')
})

test('no answer at all means that the server does not answer', () => {
  expect(readinessOf(null)).toMatchObject({ ready: 0, all: 1, parts: [{ name: 'Server', state: 'does not answer' }] })
})
