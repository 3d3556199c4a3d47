import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { setSupplyFaults } from '../../../sandbox/supplier/contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { readAnswer } from '../../delivery/supply/http.supplier.server.ts'
import { listSupplies, setSupply } from '../../delivery/supply/supply.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { supply, supplyWaiting } from './supply.server.ts'

// Codes on demand from the built-in supplier over HTTP.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const db = () => open.shop.database.db
const faults = (kind: Parameters<typeof setFaults>[0], asks = 0) => setFaults(kind, asks)
const setFaults = (kind: 'none' | 'late' | 'refuse' | 'fail' | 'few' | 'doubled' | 'other' | 'same', asks: number) =>
  open.shop.call(setSupplyFaults, { kind, asks })

async function sold(quantity = 1) {
  const staff = await open.shop.join({ isAdmin: true })
  const product = await addProduct(open.shop, { codes: [] })
  await staff.call(setSupply, { id: product.id, sku: 'CARD-10' })
  const buyer = await open.shop.join()
  const order = await buyMany(open.shop, buyer, [{ product, quantity }])
  return { buyer, product, order, line: { id: order.id, lineId: order.lines[0]!.id } }
}
type Sold = Awaited<ReturnType<typeof sold>>

const ask = ({ line }: Sold) => supply(open.shop.supplying, line.lineId)
const codesOf = async ({ buyer, line }: { buyer: Person; line: Sold['line'] }) =>
  (await buyer.call(revealCodes, line)).codes.map(({ code }) => code)
const read = ({ buyer, order }: Sold) => buyer.call(getOrder, { id: order.id })
const stateOf = async ({ line }: Sold) =>
  await db().selectFrom('supplyRequests').selectAll().where('orderLineId', '=', line.lineId).executeTakeFirstOrThrow()
const endWindow = ({ line }: Sold) =>
  sql`UPDATE supply_requests SET ends_at = now() - interval '1 second' WHERE order_line_id = ${line.lineId}::uuid`.execute(
    db(),
  )

test('shows connected products and waiting requests to staff only', async () => {
  await faults('late', 9)
  const one = await sold()
  const staff = await open.shop.join({ isAdmin: true })
  const { supplies, ...rest } = await staff.call(listSupplies, {})
  expect(rest).toEqual({ hasSupplier: true, minutes: 30 })
  const mine = { productId: one.product.id, sku: 'CARD-10', minutes: 30, waiting: 1 }
  expect(supplies).toContainEqual(expect.objectContaining(mine))
  await staff.call(setSupply, { id: one.product.id, sku: null })
  expect((await staff.call(listSupplies, {})).supplies.map(({ productId }) => productId)).not.toContain(one.product.id)
  await expect(one.buyer.call(listSupplies, {})).rejects.toMatchObject({ status: 403 })
})

test("delivers the supplier's codes once, however often the job runs", async () => {
  await faults('none')
  const one = await sold(2)
  expect((await read(one)).lines[0]!.delivery).toMatchObject({
    kind: 'code',
    count: 0,
    supplyBy: expect.any(String) as string,
  })
  await Promise.all([ask(one), ask(one), ask(one)])
  const codes = await codesOf(one)
  expect(new Set(codes).size).toBe(2)
  await ask(one)
  expect(await codesOf(one)).toEqual(codes)
  expect((await read(one)).lines[0]!.delivery).toMatchObject({ count: 2, supplyBy: null })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('retries while the supplier is late, and then delivers', async () => {
  await faults('late', 2)
  const one = await sold()
  await ask(one)
  expect(await stateOf(one)).toMatchObject({ state: 'waiting', tries: 1, lastError: null })
  await ask(one)
  await ask(one)
  expect(await codesOf(one)).toHaveLength(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test.each(['few', 'doubled', 'other', 'fail'] as const)(
  'delivers nothing for an invalid response: %s',
  async (kind) => {
    await faults(kind)
    const one = await sold(2)
    await ask(one)
    expect(await stateOf(one)).toMatchObject({ state: 'waiting' })
    expect(await codesOf(one)).toEqual([])
    await faults('none')
    await ask(one)
    expect(await codesOf(one)).toHaveLength(2)
  },
)

test('sells no code twice when the supplier repeats a sold code', async () => {
  await faults('same')
  const [first, second] = [await sold(), await sold()]
  await ask(first)
  await ask(second)
  expect(await codesOf(first)).toHaveLength(1)
  expect(await codesOf(second)).toEqual([])
  expect(await stateOf(second)).toMatchObject({ state: 'waiting', lastError: 'the answer has a code of another sale' })
  await faults('none')
  await ask(second)
  expect(await codesOf(second)).toHaveLength(1)
})

test('refunds the line when the window ends, and never sells codes that arrive later', async () => {
  await faults('fail')
  const one = await sold(2)
  await ask(one)
  await endWindow(one)
  await supplyWaiting(open.shop.supplying)
  expect((await stateOf(one)).state).toBe('ended')
  await runRefunds(open.shop)
  expect(await read(one)).toMatchObject({ status: 'refunded', refunds: [{ amount: '20.00' }] })
  await faults('none')
  await ask(one)
  const codes = await db().selectFrom('codes').select('state').where('productId', '=', one.product.id).execute()
  expect(codes.filter(({ state }) => state === 'sold')).toEqual([])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds at once when the supplier refuses', async () => {
  await faults('refuse')
  const refused = await sold()
  await ask(refused)
  await runRefunds(open.shop)
  expect(await read(refused)).toMatchObject({ status: 'refunded' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('lets only administrators connect a product, and only one that sells codes', async () => {
  const [member, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const file = await addProduct(open.shop)
  await expect(member.call(setSupply, { id: file.id, sku: 'X' })).rejects.toMatchObject({ status: 403 })
  await expect(staff.call(setSupply, { id: file.id, sku: 'X' })).rejects.toMatchObject({
    status: 409,
    code: 'no_codes',
  })
})

test('handles responses by their status, and never stores a code in an error text', () => {
  const asked = { requestId: crypto.randomUUID(), sku: 'X', quantity: 1 }
  const answer = (codes: unknown) => JSON.stringify({ requestId: asked.requestId, codes })
  const plain = { code: 'A', pin: '', serial: '' }
  expect(readAnswer(asked, 200, answer(['A']))).toEqual({ kind: 'codes', codes: [plain] })
  const card = { code: 'A', pin: '0471' }
  expect(readAnswer(asked, 200, answer([card]))).toEqual({ kind: 'codes', codes: [{ ...plain, ...card }] })
  expect(readAnswer(asked, 200, answer([{ ...card, pin: 'a\u001f' }]))).toMatchObject({ kind: 'unknown' })
  expect(readAnswer(asked, 202, '')).toEqual({ kind: 'waiting' })
  for (const wrong of [answer(['CANARY', 'CANARY-2']), answer([]), answer('CANARY'), answer(['']), 'CANARY', '{'])
    expect(JSON.stringify(readAnswer(asked, 200, wrong))).toMatch(/unknown(?!.*CANARY)/)
  expect(readAnswer(asked, null, '')).toMatchObject({ kind: 'unknown' })
  expect(readAnswer(asked, 422, '')).toMatchObject({ kind: 'refused' })
})
