import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox, until } from '../../test/sandbox.ts'
import { type Charge, createPaypal, type Paypal } from './paypal.server.ts'
import { saveSandboxWallet } from './sandbox.server.ts'

// The client that production uses, against the sandbox: it must not be able to tell the difference.

let sandbox: TestSandbox
let paypal: Paypal
let charge: Charge
beforeAll(async () => {
  sandbox = await openTestSandbox()
  paypal = createPaypal({
    ...sandbox.sandbox.credentials,
    baseUrl: sandbox.base,
    mode: 'sandbox',
    storeName: 'Primo',
    publicUrl: 'https://shop.example',
  })
})
afterAll(() => sandbox.close())
beforeEach(() => {
  charge = {
    paymentId: crypto.randomUUID(),
    amountCents: 4499,
    lines: [
      { productId: crypto.randomUUID(), title: 'Corner Café Gift Card', priceCents: 1250, quantity: 2 },
      { productId: crypto.randomUUID(), title: 'Night Trains', priceCents: 1999, quantity: 1 },
    ],
  }
})

const press = (door: string, id: string) => fetch(`${sandbox.base}/test/orders/${id}/${door}`, { method: 'POST' })

test('an order is created, approved, captured, read and refunded', async () => {
  const id = await paypal.createOrder(charge)
  expect(await paypal.createOrder(charge)).toBe(id)
  expect(await paypal.readOrder(id)).toMatchObject({ id, status: 'PAYER_ACTION_REQUIRED', capture: null })
  await expect(paypal.captureOrder(id, charge.paymentId, 0)).rejects.toMatchObject({ issue: 'ORDER_NOT_APPROVED' })
  await press('approve', id)
  const order = await paypal.captureOrder(id, charge.paymentId, 0)
  expect(order).toMatchObject({
    status: 'COMPLETED',
    capture: { status: 'COMPLETED', amountCents: 4499, currency: 'USD', customId: charge.paymentId },
    payerEmail: 'buyer@sandbox.example',
  })
  expect(await paypal.captureOrder(id, charge.paymentId, 0)).toEqual(order)
  expect(await paypal.readOrder(id)).toEqual(order)
  const refund = { id: crypto.randomUUID(), amountCents: 4499 }
  expect(await paypal.refundCapture(order.capture!.id, refund)).toMatchObject({ status: 'COMPLETED' })
  expect(await paypal.readCapture(order.capture!.id)).toMatchObject({ status: 'REFUNDED' })
  expect(await paypal.readOrder('NOSUCHORDER')).toBeNull()
})

test('a decline is a refusal that a second try can mend', async () => {
  const id = await paypal.createOrder(charge)
  await press('decline', id)
  await expect(paypal.captureOrder(id, charge.paymentId, 0)).rejects.toMatchObject({ issue: 'INSTRUMENT_DECLINED' })
  await press('approve', id)
  expect(await paypal.captureOrder(id, charge.paymentId, 1)).toMatchObject({ status: 'COMPLETED' })
})

test('a saved wallet is charged in one step', async () => {
  const { vaultId } = await saveSandboxWallet(sandbox.database.db, { email: 'shopper@example.com' })
  const order = await paypal.chargeSaved({ ...charge, vaultId })
  expect(order).toMatchObject({ status: 'COMPLETED', capture: { amountCents: 4499 }, vaultId })
  expect(await paypal.chargeSaved({ ...charge, vaultId })).toEqual(order)
  await expect(paypal.chargeSaved({ ...charge, paymentId: 'x', vaultId: 'none' })).rejects.toMatchObject({
    issue: 'TOKEN_ID_NOT_FOUND',
  })
})

test('a client token is good for a quarter of an hour', async () => {
  const { clientToken, expiresAt } = await paypal.createClientToken()
  expect(clientToken).toMatch(/^eyJ/)
  expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(15)
})

test('an event is genuine as it came, and not when a letter is changed', async () => {
  await press('approve', await paypal.createOrder(charge))
  const heard = () => sandbox.deliveries.find((delivery) => delivery.raw.includes(charge.paymentId))
  await until(heard)
  const { headers, raw } = heard()!
  expect(await paypal.isWebhookGenuine(headers, raw)).toBe(true)
  expect(await paypal.isWebhookGenuine(headers, raw.replace('44.99', '44.98'))).toBe(false)
  expect(await paypal.isWebhookGenuine(() => undefined, raw)).toBe(false)
})
