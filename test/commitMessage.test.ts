import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const HOOK = join(import.meta.dirname, '../.githooks/commit-msg')

function check(message: string) {
  const folder = mkdtempSync(join(tmpdir(), 'primo-commit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'message')
  writeFileSync(file, `${message}\n`)
  const { status, stderr } = spawnSync('sh', [HOOK, file], { encoding: 'utf8' })
  return { status, stderr }
}

test.each([
  'cart: return the items of an expired payment',
  'all rooms: rename limits to MAX and MIN',
  `docs: ${'a'.repeat(66)}`,
  'Revert "cart: return the items"',
  'cart: fix a race\n\nA body may have any length and form; also this.',
])('accepts the commit message %j', (message) => expect(check(message)).toEqual({ status: 0, stderr: '' }))

test.each([
  ['Fix a race', 'no room'],
  ['cart: Fix a race', 'no room'],
  ['cart: fix a race; add a test', 'one change'],
  ['cart: fix a race.', 'one change'],
  [`docs: ${'a'.repeat(67)}`, '73 characters'],
])('rejects the commit message %j', (message, why) => {
  expect(check(message)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) })
})
