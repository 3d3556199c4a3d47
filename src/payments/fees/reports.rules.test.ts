import { expect, test } from 'vitest'
import { feesOf as paypalFees } from '../../providers/paypal/report.server.ts'
import { feesOf as stripeFees } from '../../providers/stripe/report.server.ts'

const usd = (value: string) => ({ currency_code: 'USD', value })

test.each([
  ['a payment', 'T0006', { transaction_amount: usd('10.00'), fee_amount: usd('-0.84') }, [['T:T0006:fee', 84, 'USD']]],
  ['a payment without a fee', 'T0006', { transaction_amount: usd('10.00') }, []],
  [
    'a refund with its fee',
    'T1107',
    { transaction_amount: usd('-10.00'), fee_amount: usd('0.35') },
    [['T:T1107:fee', -35, 'USD']],
  ],
  ['the fee of a chargeback', 'T0106', { transaction_amount: usd('-20.00') }, [['T:T0106', 2000, 'USD']]],
  ['a returned fee', 'T1108', { transaction_amount: usd('20.00') }, [['T:T1108', -2000, 'USD']]],
  ['a refunded fee', 'T1109', { transaction_amount: usd('0.30') }, [['T:T1109', -30, 'USD']]],
  [
    'a fee in euros',
    'T0100',
    { transaction_amount: { currency_code: 'EUR', value: '-5.00' } },
    [['T:T0100', 500, 'EUR']],
  ],
  ['a payout', 'T0001', { transaction_amount: usd('-9.00'), fee_amount: usd('-0.25') }, [['T:T0001:fee', 25, 'USD']]],
])('reads the fees in a PayPal report: %s', (_, code, amounts, expected) => {
  const at = { transaction_initiation_date: '2026-11-22T12:00:00+0000' }
  const found = paypalFees({ transaction_id: 'T', transaction_event_code: code, ...at, ...amounts })
  expect(found.map(({ ref, amountCents, currency }) => [ref, amountCents, currency])).toEqual(expected)
})

test.each([
  ['a charge', { fee: 59, amount: 1000 }, [[59, 'USD']]],
  ['a refund without a fee', { fee: 0, amount: -1000, reporting_category: 'refund' }, []],
  ['a dispute', { fee: 1500, amount: -1000, reporting_category: 'dispute' }, [[1500, 'USD']]],
  [
    'a returned fee of a dispute',
    { fee: -1500, amount: 1000, reporting_category: 'dispute_reversal' },
    [[-1500, 'USD']],
  ],
  ['a monthly fee', { fee: 0, amount: -2000, reporting_category: 'fee' }, [[2000, 'USD']]],
  ['a cost of the network', { fee: 0, amount: -7, reporting_category: 'network_cost' }, [[7, 'USD']]],
  ['a charge of an account in euros', { fee: 54, amount: 900, currency: 'eur', exchange_rate: 0.9 }, [[60, 'USD']]],
  [
    'a fee of an account in euros',
    { fee: 0, amount: -2000, currency: 'eur', reporting_category: 'fee' },
    [[2000, 'EUR']],
  ],
])('reads the fees in a Stripe report: %s', (_, movement, expected) => {
  const charge = { id: 'txn', currency: 'usd', exchange_rate: null, reporting_category: 'charge', created: 1764000000 }
  const found = stripeFees({ ...charge, ...movement })
  expect(found.map(({ amountCents, currency }) => [amountCents, currency])).toEqual(expected)
})
