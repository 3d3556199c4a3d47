import { expect, test } from 'vitest'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { give } from '../../test/credit.ts'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { METHOD } from '../../test/payment.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { verifyIdentity } from '../identity/second-factor/stepUp.contract.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import { placeOrder, startPayment } from './checkout.contract.ts'

// Attack A3: a session with an old proof of identity.

const open = openShopForTests({ RISK_CHECKS: 'watch' })
const ASKED = { status: 403, code: 'step_up_required' }
const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`
const prove = (person: Person) => person.call(verifyIdentity, { password: passwordOf(person) })

async function joinLongAgo({ credit = 0, hasWallet = false } = {}) {
  const { database } = open.shop
  const person = await open.shop.join()
  await database.pool.query(`UPDATE sessions SET verified_at = now() - interval '11 minutes' WHERE user_id = $1`, [
    person.id,
  ])
  if (credit > 0) await give(open.shop, person, credit)
  if (hasWallet) {
    const wallet = await saveSandboxWallet(database.db, { email: person.email })
    await saveWallet(database.db, { userId: person.id, provider: METHOD, mode: 'sandbox', ...wallet })
  }
  return person
}

const quickBuy = (person: Person, { id: productId, price }: { id: string; price: string }, quantity = 1) =>
  person.call(placeOrder, {
    items: [{ productId, quantity, price }],
    total: (Number(price) * quantity).toFixed(2),
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
    source: 'product',
  })

test.each([
  ['the saved wallet', { hasWallet: true }],
  ['store credit', { credit: 750_000 }],
])('requires a fresh proof before %s pays for gift cards of 7,500 dollars', async (_, means) => {
  const card = await addProduct(open.shop, { price: '500.00', categoryId: 'gift-cards' })
  const person = await joinLongAgo(means)
  const taken = (await provider(open.shop).captures()).length
  await expect(quickBuy(person, card, 15)).rejects.toMatchObject(ASKED)
  expect((await provider(open.shop).captures()).length).toBe(taken)
  await prove(person)
  expect(await quickBuy(person, card, 15)).toMatchObject({ status: 'completed', total: '7500.00' })
})

test('lets a saved wallet pay $100 a day for other goods and requires a proof above', async () => {
  const book = await addProduct(open.shop, { price: '50.00' })
  const person = await joinLongAgo({ hasWallet: true })
  for (let i = 0; i < 2; i++) expect(await quickBuy(person, book)).toMatchObject({ status: 'completed' })
  await expect(quickBuy(person, book)).rejects.toMatchObject(ASKED)
})

test('includes concurrent orders in the day’s sum of a saved wallet', async () => {
  const books = await Promise.all(Array.from({ length: 5 }, () => addProduct(open.shop, { price: '50.00' })))
  const person = await joinLongAgo({ hasWallet: true })
  const orders = await Promise.allSettled(books.map((book) => quickBuy(person, book)))
  expect(orders.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(orders.find(({ status }) => status === 'rejected')).toMatchObject({ reason: ASKED })
})

test('requires a proof before credit pays part of a card, but not for a payment approved at the provider', async () => {
  const card = await addProduct(open.shop, { price: '50.00', categoryId: 'crypto' })
  const person = await joinLongAgo({ credit: 1000 })
  const items = [{ productId: card.id, quantity: 1 }]
  const start = (credit: string) =>
    person.call(startPayment, { amount: '50.00', credit, currency: 'USD', intent: 'capture', items })
  await expect(start('10.00')).rejects.toMatchObject(ASKED)
  expect(await start('0.00')).toMatchObject({ id: expect.any(String) })
})

test('requires a proof before the download of a gift card, but not of a book', async () => {
  const person = await joinLongAgo()
  for (const [categoryId, isAsked] of [
    ['gift-cards', true],
    ['ebooks', false],
  ] as const) {
    const order = await buy(open.shop, person, await addProduct(open.shop, { categoryId }))
    const download = person.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
    if (isAsked) await expect(download).rejects.toMatchObject(ASKED)
    else expect(await download).toMatchObject({ url: expect.stringContaining('/downloads/') })
  }
})
