import { expect, test } from 'vitest'
import { labelOf } from './invoice.rules.ts'

test('formats a number as prefix, year and at least six digits', () => {
  expect([labelOf('INV', 2026, 123), labelOf('CN', 2027, 1), labelOf('INV', 2026, 1_234_567)]).toEqual([
    ...['INV-2026-000123', 'CN-2027-000001', 'INV-2026-1234567'],
  ])
})
