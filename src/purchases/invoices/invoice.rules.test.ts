import { expect, test } from 'vitest'
import { labelOf } from './invoice.rules.ts'

test('numbers have the prefix, the year and six digits, and grow beyond them', () => {
  expect([labelOf('INV', 2026, 123), labelOf('CN', 2027, 1), labelOf('INV', 2026, 1_234_567)]).toEqual([
    ...['INV-2026-000123', 'CN-2027-000001', 'INV-2026-1234567'],
  ])
})
