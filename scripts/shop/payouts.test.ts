import { expect, onTestFinished, test } from 'vitest'
import { earn, passPayoutWait } from '../../test/earn.ts'
import { openTestShop } from '../../test/shop.ts'
import {
  approvePayouts,
  getPayouts,
  requestPayout,
  savePayoutDetails,
} from '../../src/payments/payouts/payouts.contract.ts'
import { terminal } from './run.test.help.ts'

test('lists open payouts and makes the shop poll a batch immediately', async () => {
  const shop = await openTestShop()
  onTestFinished(() => shop.close())
  const run = terminal({ NODE_ENV: 'test', DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir })
  expect(await run('payouts')).toEqual({ code: 0, err: [], out: ['No payout is open.'] })
  expect((await run('payouts reconcile')).out).toEqual(['No batch is open.'])
  const [ada, staff] = [await shop.join(), await shop.join({ role: 'finance' })]
  await earn(shop, ada.id, 5000)
  await ada.call(savePayoutDetails, { details: { method: 'paypal', email: 'ada@mail.example' } })
  await passPayoutWait(shop, ada.id)
  await ada.call(requestPayout, {})
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  expect((await run('payouts')).out[0]).toMatch(new RegExp(`^${id}  \\S+  requested  \\$50\\.00  ${ada.email}$`))
  await staff.call(approvePayouts, { ids: [id] })
  const batches = () =>
    shop.database.db.selectFrom('payoutBatches').select(['id', 'lookedAt']).executeTakeFirstOrThrow()
  await shop.database.db.updateTable('payoutBatches').set({ lookedAt: new Date() }).execute()
  const { id: batchId } = await batches()
  expect((await run('payouts')).out[0]).toContain(`batch ${batchId}`)
  expect(await run(`payouts retry ${batchId}`)).toMatchObject({ code: 0, out: [expect.stringContaining('1 batch.')] })
  expect((await batches()).lookedAt).toBeNull()
  const { rowCount } = await shop.database.pool.query(
    `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'reconcile_payouts'`,
  )
  expect(rowCount).toBe(1)
  expect((await run(`payouts retry ${id}`)).code).toBe(1)
  expect((await run('payouts retry x')).err[0]).toContain('<batch id>')
})
