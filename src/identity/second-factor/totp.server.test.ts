import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inGroups, keyUri, readCode, toBase32 } from './totp.rules.ts'
import { codeAt, stepOf } from './totp.server.ts'

const secret = Buffer.from('12345678901234567890')

// values of RFC 4226 and RFC 6238 (the last six of its eight digits)
test.each([
  [0, '755224'],
  [1, '287082'],
  [9, '520489'],
  [59 / 30, '287082'],
  [1111111109 / 30, '081804'],
  [2000000000 / 30, '279037'],
  [20000000000 / 30, '353130'],
])('computes the code of step %d as %s', (step, code) => expect(codeAt(secret, Math.floor(step))).toBe(code))

const now = 1_700_000_010_000
const step = Math.floor(now / 30_000)

test.each([
  [-1, true],
  [0, true],
  [1, true],
  [-2, false],
  [2, false],
])('accepts a clock that is %i steps off: %s', (off, isUnderstood) => {
  expect(stepOf(secret, codeAt(secret, step + off), now)).toBe(isUnderstood ? step + off : null)
})

test.each(['', '12345', '1234567', 'abcdef'])('rejects %j as a code', (code) =>
  expect(stepOf(secret, code, now)).toBeNull(),
)

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('encodes %j as %s in Base32', (text, written) => expect(toBase32(Buffer.from(text))).toBe(written))

test('the QR code encodes any name of shop and account', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (issuer) => {
      const uri = new URL(keyUri('AAAA', issuer, 'ada@test.example'))
      expect([uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual(['AAAA', issuer])
    }),
  )
})

test.each([
  ['123456', { kind: 'app', code: '123456' }],
  [' 123 456 ', { kind: 'app', code: '123456' }],
  ['abcd-efgh-2345', { kind: 'recovery', code: 'ABCDEFGH2345' }],
  ['ABCD EFGH 2345', { kind: 'recovery', code: 'ABCDEFGH2345' }],
  ['12345', null],
  ['ABCD-EFGH-1089', null],
  ['', null],
])('reads %j as %j', (typed, code) => expect(readCode(typed)).toEqual(code))

test('shows a code in groups of four', () => expect(inGroups('ABCDEFGH2345')).toBe('ABCD-EFGH-2345'))
