import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { describeTables } from './tables.ts'

test('the row types match the live schema', async () => {
  const { url, drop } = await createTestDatabase()
  const made = await describeTables(url)
  await drop()
  const kept = readFileSync(join(import.meta.dirname, '../src/kit/tables.ts'), 'utf8')
  // Prettier breaks long unions over lines.
  const squeeze = (text: string) => text.replace(/\s+/g, '').replaceAll(/(?<=[:<])\|/g, '')
  expect(squeeze(made)).toBe(squeeze(kept))
})
