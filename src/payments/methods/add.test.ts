import { afterAll, beforeAll, expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { openStripeShop, stripeOf } from '../../../test/stripe.ts'
import { placeOrder } from '../../checkout/checkout.contract.ts'
import { listOrders } from '../../purchases/orders.contract.ts'
import { removeWallet } from '../wallets.contract.ts'
import { addMethod, finishAdding, listMethods } from './methods.contract.ts'

// A member saves a card on the provider's page without a purchase.

let shop: TestShop
let stand: Awaited<ReturnType<typeof stripeOf>>
beforeAll(async () => {
  shop = await openStripeShop({}, { hasJobs: true })
  stand = await stripeOf(shop)
})
afterAll(() => shop?.close())

const CARD = '4242 4242 4242 4242'
const open = async (member: Person) => {
  const { url, ref } = await member.call(addMethod, { method: 'stripe' })
  return { ref, url }
}
const finish = (member: Person, ref: string) => member.call(finishAdding, { method: 'stripe', ref })

test('saves a card once for the member who opened the page, then charges it for a purchase', async () => {
  const [member, stranger] = [await shop.join(), await shop.join()]
  expect((await member.call(listMethods, {})).methods).toMatchObject([{ name: 'stripe', canAdd: true }])
  const { ref, url } = await open(member)
  expect(await (await fetch(url)).text()).toContain('Save a card')
  // the member has not submitted the page yet
  await expect(finish(member, ref)).rejects.toMatchObject({ status: 404 })
  const back = await stand.submit(ref, { number: CARD })
  expect(back.headers.get('location')).toBe(`${shop.url}/profile/payments?added=stripe`)
  await expect(finish(stranger, ref)).rejects.toMatchObject({ status: 404 })
  const answers = await Promise.all([finish(member, ref), finish(member, ref)])
  const [card] = answers[0].saved
  expect(card).toMatchObject({ method: 'stripe', label: 'Visa ending in 4242' })
  for (const { saved, choice } of [...answers, await finish(member, ref)])
    expect([saved, choice]).toEqual([[card], { method: 'stripe', walletId: card!.id }])
  expect((await stranger.call(listMethods, {})).saved).toEqual([])
  expect(await member.call(listOrders, {})).toEqual([])

  const product = await addProduct(shop, { price: '10.00' })
  const order = await member.call(placeOrder, {
    ...{ items: [{ productId: product.id, quantity: 1, price: '10.00' }], total: '10.00', source: 'product' },
    ...{ paymentMethod: 'stripe', paymentId: crypto.randomUUID(), walletId: card!.id },
  })
  expect(order.status).toBe('completed')
  // the event of the page belongs to no payment
  const events = () =>
    shop.database.pool.query<{ error: string | null }>(
      `SELECT error FROM webhook_events WHERE event_id IN (SELECT id FROM sandbox.events WHERE resource_id = $1)`,
      [ref],
    )
  await expect.poll(async () => (await events()).rows).toEqual([{ error: 'about no payment of ours' }])
})

test('does not save a removed card again when its old page is finished', async () => {
  const member = await shop.join()
  const { ref } = await open(member)
  await stand.submit(ref, { number: CARD })
  const { saved } = await finish(member, ref)
  await member.call(removeWallet, { id: saved[0]!.id })
  await expect(finish(member, ref)).rejects.toMatchObject({ status: 404 })
  expect((await member.call(listMethods, {})).saved).toEqual([])
})

test('does not save a declined card and accepts another card on the same page', async () => {
  const member = await shop.join()
  const { ref } = await open(member)
  expect(await (await stand.submit(ref, { number: '4000000000000002' })).text()).toContain('Your card was declined.')
  await expect(finish(member, ref)).rejects.toMatchObject({ status: 404 })
  await stand.submit(ref, { number: CARD })
  expect((await finish(member, ref)).saved).toHaveLength(1)
})

test('rejects a method without saving, the page of a payment and an unavailable provider', async () => {
  const member = await shop.join()
  for (const method of ['usdc', 'nothing'])
    await expect(member.call(addMethod, { method })).rejects.toMatchObject({ status: 400 })
  await expect(finish(member, 'cs_unknown')).rejects.toMatchObject({ status: 404 })
  const paid = await stand.library.checkout.sessions.create({
    mode: 'payment',
    ui_mode: 'hosted_page',
    client_reference_id: member.id,
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } } }],
    ...{ success_url: shop.url, cancel_url: shop.url },
  })
  await stand.submit(paid.id, { number: CARD })
  await expect(finish(member, paid.id)).rejects.toMatchObject({ status: 404 })
  await stand.setFaults({ rate: 1, kinds: ['error'] })
  await expect(open(member)).rejects.toMatchObject({ status: 503, code: 'provider_away' })
  await stand.setFaults({ rate: 0, kinds: [] })
  await expect(shop.call(addMethod, { method: 'stripe' })).rejects.toMatchObject({ status: 401 })
})

test('saves an approved PayPal account once, then charges it for a purchase', async () => {
  const paypal = await openTestShop({}, { hasJobs: true })
  const [member, stranger] = [await paypal.join(), await paypal.join()]
  const keep = (who: Person, ref: string) => who.call(finishAdding, { method: 'paypal', ref })
  const choose = (page: string, choice: string) =>
    fetch(page.split('?')[0]!, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ id: new URL(page).searchParams.get('approval_session_id')!, choice }),
    })
  const { url, ref } = await member.call(addMethod, { method: 'paypal' })
  expect(await (await fetch(url)).text()).toContain('Save your account')
  await expect(keep(member, ref)).rejects.toMatchObject({ status: 404 })
  expect((await choose(url, 'save')).headers.get('location')).toBe(`${paypal.url}/profile/payments?added=paypal`)
  await expect(keep(stranger, ref)).rejects.toMatchObject({ status: 404 })
  const [{ saved }] = await Promise.all([keep(member, ref), keep(member, ref)])
  expect(saved).toMatchObject([{ method: 'paypal', label: 'buyer@sandbox.example' }])
  const product = await addProduct(paypal, { price: '10.00' })
  const order = await member.call(placeOrder, {
    ...{ items: [{ productId: product.id, quantity: 1, price: '10.00' }], total: '10.00', source: 'product' },
    ...{ paymentMethod: 'paypal', paymentId: crypto.randomUUID(), walletId: saved[0]!.id },
  })
  expect(order.status).toBe('completed')
  await member.call(removeWallet, { id: saved[0]!.id })
  await expect(keep(member, ref)).rejects.toMatchObject({ status: 404 })

  const other = await member.call(addMethod, { method: 'paypal' })
  expect((await choose(other.url, 'cancel')).headers.get('location')).toBe(`${paypal.url}/profile/payments`)
  await expect(keep(member, other.ref)).rejects.toMatchObject({ status: 404 })
  await paypal.close()
})
