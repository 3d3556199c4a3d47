import { expect, onTestFinished, test } from 'vitest'
import { createFake } from '../../../test/fakeProvider/fakeProvider.ts'
import { addProduct } from '../../../test/goods.ts'
import { openTestShop } from '../../../test/shop.ts'
import { capturePayment, startPayment } from '../../checkout/checkout.contract.ts'
import { checkLedger } from '../check.server.ts'
import { reconcileReports } from './daily.server.ts'
import { listBreaches } from '../breaches.contract.ts'
import { checkBreaches } from '../breaches.server.ts'

const HOUR_MS = 3600_000
/** The last day with a complete report. */
const LAST = new Date(Date.now() - 30 * HOUR_MS).toISOString().slice(0, 10)

async function openYesterday() {
  const fake = createFake()
  const shop = await openTestShop({ BONUS_PERCENT: '0' }, { providers: [fake.opening] })
  onTestFinished(() => shop.close())
  const { pool } = shop.database
  const staff = await shop.join({ role: 'finance' })
  const [buyer, product] = [await shop.join(), await addProduct(shop)]
  const items = [{ productId: product.id, quantity: 1 }]
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
  const payment = fake.payments.get(id)!
  payment.state = 'approved'
  await buyer.call(capturePayment, { id })
  payment.capturedAt = new Date(`${LAST}T12:00:00Z`)
  await shop.asOwner(`ALTER TABLE ledger_entries DISABLE TRIGGER USER;
    UPDATE ledger_entries SET created_at = '${LAST}T12:00:00Z'; ALTER TABLE ledger_entries ENABLE TRIGGER USER`)
  const checking = { ...shop.database, config: { storeName: 'Primo' }, publicUrl: shop.url }
  const look = () => reconcileReports({ ...checking, providers: shop.checkout.providers.list })
  /** Runs the job at the same hour a day later. */
  const lookAgain = async () => {
    await pool.query(`UPDATE reconciled_days SET looked_at = looked_at - interval '21 hours'`)
    await look()
  }
  const breaches = async () =>
    (await staff.call(listBreaches, {})).map(({ rule, violation }) => `${rule}: ${violation}`)
  const mails = async () =>
    (await pool.query(`SELECT subject FROM mails WHERE recipient = $1 AND key LIKE 'ledger:%'`, [staff.email])).rowCount
  const days = async () => {
    const text = `SELECT day::text, compared_at IS NOT NULL AS compared FROM reconciled_days ORDER BY day`
    return (await pool.query<{ day: string; compared: boolean }>(text)).rows
  }
  return { fake, pool, payment, look, lookAgain, breaches, mails, days, check: () => checkLedger(checking) }
}

test('compares yesterday once, alerts staff of a difference once, and ends it when it is gone', async () => {
  const { pool, payment, look, lookAgain, breaches, mails, days, check } = await openYesterday()
  await look()
  expect([await days(), await breaches()]).toEqual([[{ day: LAST, compared: true }], []])
  payment.amountCents = 900
  await lookAgain()
  // a day without differences is not compared again
  expect(await breaches()).toEqual([])
  await pool.query('DELETE FROM reconciled_days')
  await look()
  const text = expect.stringMatching(
    new RegExp(`^REPORT: .*, ${LAST}: other amount: payment .*, \\$9\\.00 USD there and \\$10\\.00 here$`),
  ) as string
  expect([await breaches(), await mails()]).toEqual([[text], 1])
  expect(await checkBreaches(pool)).toMatchObject({ grade: 'fail' })
  // the hourly check does not end the breach
  await check()
  await look()
  await lookAgain()
  expect([await breaches(), await mails()]).toEqual([[text], 1])
  payment.amountCents = 1000
  await lookAgain()
  expect([await breaches(), await mails()]).toEqual([[], 1])
})

test('books each fee in a report once, even if the report is compared again', async () => {
  const { fake, pool, payment, look, lookAgain, check, breaches } = await openYesterday()
  const at = new Date(`${LAST}T12:00:00Z`)
  const usd = { currency: 'USD', at }
  fake.report.fees.push({ ref: 'sale', amountCents: 29, ...usd }, { ref: 'sale', amountCents: 30, ...usd })
  fake.report.fees.push({ ref: 'dispute', amountCents: 1500, ...usd })
  const balances = async () =>
    (
      await pool.query<{ account: string; cents: number }>(`SELECT account, sum(amount_cents)::int AS cents
        FROM ledger_entries WHERE account ~ '^(costs|provider):' GROUP BY account ORDER BY account`)
    ).rows.map(({ account, cents }) => [account, cents])
  payment.amountCents = 900
  await look()
  const booked = [
    ['costs:fake:sandbox', 1559],
    ['provider:fake:sandbox', 1000 - 1559],
  ]
  expect(await balances()).toEqual(booked)
  // a difference makes the job re-read the report, and it finds a returned fee
  fake.report.fees.push({ ref: 'returned', amountCents: -1500, ...usd })
  payment.amountCents = 1000
  await lookAgain()
  expect(await balances()).toEqual([
    ['costs:fake:sandbox', 59],
    ['provider:fake:sandbox', 941],
  ])
  await check()
  expect(await breaches()).toEqual([])
})

test('re-reads a report while it has pending movements, and reports fees in another currency as not booked', async () => {
  const { fake, pool, look, lookAgain, breaches } = await openYesterday()
  const at = new Date(`${LAST}T12:00:00Z`)
  const booked = async () => (await pool.query(`SELECT FROM provider_fees`)).rowCount
  fake.report.hasPending = true
  await look()
  fake.report.fees.push({ ref: 'bank debit', amountCents: 59, currency: 'USD', at })
  fake.report.hasPending = false
  await lookAgain()
  expect([await booked(), await breaches()]).toEqual([1, []])
  fake.report.fees.push({ ref: 'late', amountCents: 59, currency: 'USD', at })
  await lookAgain()
  expect(await booked()).toBe(1)
  fake.report.fees.push({ ref: 'monthly', amountCents: 2000, currency: 'EUR', at })
  await pool.query('DELETE FROM reconciled_days')
  await look()
  expect([await booked(), await breaches()]).toEqual([
    2,
    [expect.stringMatching(/^REPORT: .*: not booked: fee monthly, 20\.00 EUR$/)],
  ])
})

test('retries an unreadable report, fills gaps, and shows a warning after days', async () => {
  const { fake, pool, look, lookAgain, days, check } = await openYesterday()
  await check()
  fake.faults.next = 'away'
  await look()
  expect(await days()).toEqual([{ day: LAST, compared: false }])
  fake.faults.next = null
  // no retry before tomorrow
  await look()
  expect(await days()).toEqual([{ day: LAST, compared: false }])
  await lookAgain()
  expect(await days()).toEqual([{ day: LAST, compared: true }])
  await pool.query(`UPDATE reconciled_days SET day = day - 3, compared_at = NULL`)
  expect(await checkBreaches(pool)).toMatchObject({ grade: 'warn', says: expect.stringContaining('could not be read') })
  await look()
  expect((await days()).map(({ compared }) => compared)).toEqual([false, true, true, true])
})
