import { signedUsd } from '../../localisation/usd.rules.ts'
import { expect, test } from 'vitest'
import { toCsv } from './csv.rules.ts'
import {
  addMonths,
  describeMovement,
  netCents,
  monthOf,
  type Moved,
  nameDay,
  nameMonth,
  nameMovement,
  shortenName,
  showChange,
  toStatement,
} from './statement.rules.ts'

const ORDER = '0190b3c2-7f58-7cc3-98c4-dc0c2c9d5e80'
const moved = (kind: Moved['kind'], amountCents: number, change: Partial<Moved> = {}): Moved => ({
  ...{ day: '2026-11-12', kind, title: null, orderId: null, count: 1, amountCents, ...change },
})

const november = toStatement({ month: '2026-11', openingCents: 14_130, isSummedUp: false }, [
  moved('payout', -14_130, { day: '2026-11-09', title: 'account ending 4410' }),
  moved('sale', 8500, { title: 'Night Trains', count: 10 }),
  moved('discount', -850, { count: 1 }),
  moved('fee', -680),
  moved('refund', -1900, { title: '=HYPERLINK("x"), "Lo-Fi"', orderId: ORDER, day: '2026-11-18' }),
  moved('fee_returned', 190, { orderId: ORDER, day: '2026-11-18' }),
])

test('calculates the balance after each movement and the sum of each kind', () => {
  expect(november.movements.map(({ balance }) => balance)).toEqual([
    '0.00',
    '85.00',
    '76.50',
    '69.70',
    '50.70',
    '52.60',
  ])
  expect(november).toMatchObject({ opening: '141.30', closing: '52.60' })
  expect(november.sums).toEqual({
    ...{
      sale: '85.00',
      discount: '-8.50',
      fee: '-6.80',
      refund: '-19.00',
      fee_returned: '1.90',
      payout: '-141.30',
      payout_returned: '0.00',
    },
  })
  expect(netCents(november)).toBe(5260)
})

test('describes each movement', () => {
  expect(november.movements.map((one) => `${nameMovement(one)} | ${describeMovement(one)}`)).toEqual([
    'Payout | account ending 4410',
    'Night Trains | 10 copies',
    'Discount codes | 1 sale',
    'Fee | ',
    'Refund | Order 2c9d5e80, =HYPERLINK("x"), "Lo-Fi"',
    'Fee returned | Order 2c9d5e80',
  ])
  expect(nameMovement({ kind: 'sale', title: null })).toBe('Sales at list price')
  expect(describeMovement(moved('refund', -5, { count: 1200 }))).toBe('1,200 refunds')
})

test('writes a CSV in which a spreadsheet finds text and numbers but no formulas', () => {
  expect(toCsv(november).split('\r\n')).toEqual([
    '\uFEFFDate,What,Details,Amount (USD),Balance (USD)',
    '2026-11-01,Balance before,,,141.30',
    '2026-11-09,Payout,account ending 4410,-141.30,0.00',
    '2026-11-12,Night Trains,10 copies,85.00,85.00',
    '2026-11-12,Discount codes,1 sale,-8.50,76.50',
    '2026-11-12,Fee,,-6.80,69.70',
    '2026-11-18,Refund,"Order 2c9d5e80, =HYPERLINK(""x""), ""Lo-Fi""",-19.00,50.70',
    '2026-11-18,Fee returned,Order 2c9d5e80,1.90,52.60',
    '2026-11-18,Balance after,,,52.60',
    '',
  ])
  const formula = toStatement({ month: '2026-11', openingCents: 0, isSummedUp: false }, [
    moved('sale', 100, { title: '=1+1' }),
    moved('sale', 100, { title: '-2' }),
  ])
  expect(toCsv(formula)).toContain("2026-11-12,'=1+1,1 copy,1.00,1.00\r\n2026-11-12,'-2,1 copy,1.00,2.00\r\n")
})

test('adds months across years and formats days and months in UTC', () => {
  expect([addMonths('2026-01', -1), addMonths('2026-12', 1), addMonths('2026-11', 0)]).toEqual([
    ...['2025-12', '2027-01', '2026-11'],
  ])
  expect(monthOf(Date.parse('2026-10-31T23:59:59.999Z'))).toBe('2026-10')
  expect([nameMonth('2026-11'), nameDay('2026-11-01')]).toEqual(['November 2026', 'Nov 1'])
})

test('formats negative amounts with a minus sign instead of a hyphen', () => {
  expect([-1900, 0, 123_456].map(signedUsd)).toEqual(['−$19.00', '$0.00', '$1,234.56'])
  expect([-1900, 0, 1900].map(showChange)).toEqual(['−$19.00', '$0.00', '+$19.00'])
})

test('shortens names of more than 80 characters in documents', () => {
  expect(shortenName('ह'.repeat(80))).toBe('ह'.repeat(80))
  expect(shortenName('🙂'.repeat(81))).toBe(`${'🙂'.repeat(79)}…`)
})
