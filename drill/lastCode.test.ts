import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { runLastCode } from './lastCode.ts'

test('sells the last code once to buyers on two nodes and charges nobody else', { timeout: 60_000 }, async () => {
  const { url, drop } = await createTestDatabase()
  const { wrong } = await runLastCode(url, { rounds: 2, buyers: 8 })
  await drop()
  expect(wrong).toEqual([])
})
