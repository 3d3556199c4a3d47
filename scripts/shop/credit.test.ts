import { expect, onTestFinished, test } from 'vitest'
import { openTestShop } from '../../test/shop.ts'
import { wrongBooks } from '../../test/credit.ts'
import { getCredit } from '../../src/payments/credit.contract.ts'
import { terminal } from './run.test.help.ts'

test('adds credit with a reason that the customer sees', async () => {
  const shop = await openTestShop()
  onTestFinished(() => shop.close())
  const run = terminal({ NODE_ENV: 'test', DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir })
  const customer = await shop.join()
  const given = await run(`credit give ${customer.email.toUpperCase()} 5.00 --why 'the download was slow'`)
  expect(given).toMatchObject({
    code: 0,
    err: [],
    out: [`${customer.email} has $5.00 more, and can spend $5.00.`],
  })
  expect(await customer.call(getCredit, {})).toMatchObject({
    balance: '5.00',
    entries: [{ kind: 'given', amount: '5.00', why: 'the download was slow' }],
  })
  expect(await wrongBooks(shop)).toEqual([])
  expect(await shop.database.db.selectFrom('audit').select(['act', 'subjectId', 'details']).execute()).toContainEqual({
    act: 'account.credited',
    subjectId: customer.id,
    details: { amount: '$5.00' },
  })
  for (const amount of ['0', '-5', '1.234', '1e3', '1000.01', 'all'])
    expect((await run(`credit give ${customer.email} ${amount} --why x`)).code, amount).toBe(1)
  expect((await run(`credit give ${customer.email} 5.00`)).err[0]).toContain('--why: give a reason')
  expect((await run('credit give nobody@test.example 5.00 --why x')).err).toEqual([
    'There is no account for nobody@test.example.',
  ])
  expect((await customer.call(getCredit, {})).balance).toBe('5.00')
})
