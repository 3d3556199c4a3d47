import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { analyzeError, reportErrors } from './errors.contract.ts'

const open = openShopForTests({ RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' })
const error = { message: 'Failed to fetch' }

test('limits one address to ten urgent reports and three batches a minute across accounts', async () => {
  const member = await open.shop.join()
  for (let i = 0; i < 10; i++) await (i % 2 ? open.shop : member).call(analyzeError, { error, context: {} })
  for (const via of [open.shop, member])
    await expect(via.call(analyzeError, { error, context: {} })).rejects.toMatchObject({ status: 429 })
  for (let i = 0; i < 3; i++) await open.shop.call(reportErrors, { errors: [error], context: {} })
  await expect(open.shop.call(reportErrors, { errors: [error], context: {} })).rejects.toMatchObject({ status: 429 })
})

test('limits one address to thirty new causes a day, and still counts known ones', async () => {
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
  const batch = (first: number) => ({
    errors: Array.from({ length: 10 }, (_, n) => ({ message: `Odd ${letters(first + n)}` })),
    context: {},
  })
  for (const first of [10, 20, 30])
    expect(await open.shop.call(reportErrors, batch(first), from('45.83.1.1'))).toEqual({ recorded: 10 })
  const odd = (message: string, ip: string) =>
    open.shop.call(analyzeError, { error: { message }, context: {} }, from(ip))
  expect(await odd('Odd jjj', '45.83.1.1')).toMatchObject({ action: 'dropped', success: false })
  expect(await odd('Odd ba', '45.83.1.1')).toMatchObject({ action: 'recorded' })
  expect(await odd('Odd jjj', '45.83.1.2')).toMatchObject({ action: 'recorded' })
})
