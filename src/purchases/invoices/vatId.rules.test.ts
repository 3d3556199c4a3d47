import { expect, test } from 'vitest'
import { isVatId, tidyVatId } from './vatId.rules.ts'

test.each([
  ...[
    '',
    '  ',
    'DE136695976',
    'de 136.695-976',
    'ATU13585627',
    'BE0428759497',
    'FRK7399859412',
    'ESX1234567L',
    'IE1234567FA',
  ],
  ...[
    'NL004495445B01',
    'EL094259216',
    'XI123456789',
    'GBGD001',
    'CHE-123.456.789 MWST',
    'NO123456789MVA',
    'US12-3456789',
  ],
])('accepts the VAT ID %j', (typed) => {
  expect(isVatId(typed)).toBe(true)
})

test.each([
  ...[
    'DE13669597',
    'DE1366959760',
    'ATU1358562',
    '136695976',
    'FR123',
    'XX1',
    'hello',
    'NL004495445X01',
    'D1136695976',
  ],
  ...['DE13669597O', 'GBGD0011', 'ABCDEFG', '<script>', 'ÄÖ123456789'],
])('rejects the VAT ID %j', (typed) => {
  expect(isVatId(typed)).toBe(false)
})

test('removes spaces and punctuation from a VAT ID', () => {
  expect(tidyVatId(' che-123.456.789 mwst ')).toBe('CHE123456789MWST')
})
