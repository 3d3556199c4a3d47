import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addProduct } from '../test/goods.ts'
import { provider } from '../test/provider.ts'
import { type Person, openShopForTests } from '../test/shop.ts'
import { addToCart } from '../src/cart/cart.contract.ts'
import { cancelPayment, capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../src/aftersale/refunds/refund.server.ts'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { findViolations, findViolationsOn, type Look } from './invariants.ts'
import type { Observed } from './seen.ts'

// Plants every kind of violation once, to prove that the drill would find it.

const open = openShopForTests()
let client: pg.Client
let captures: SandboxCapture[]
let seen: Observed[]
const ids: Record<string, string> = {}

async function buy(name: string, productId: string, ending: 'pay' | 'cancel'): Promise<Person> {
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  if (ending === 'pay') await buyer.call(capturePayment, { id })
  else await buyer.call(cancelPayment, { id })
  ids[name] = orderId
  ids[`${name} buyer`] = buyer.id
  seen.push({
    userId: buyer.id,
    adds: [{ productId, quantity: 1, outcome: 'ok' }],
    orders: [{ orderId, totalCents: 1000 }],
    completed: ending === 'pay' ? [orderId] : [],
  })
  return buyer
}

beforeAll(async () => {
  seen = []
  const book = await addProduct(open.shop)
  const card = await addProduct(open.shop, { codes: ['ONE', 'TWO'] })
  await buy('paid', book.id, 'pay')
  await buy('card', card.id, 'pay')
  await buy('failed', book.id, 'cancel')
  await buy('refunded', book.id, 'pay')
  const refund = await refundOrder(open.shop.checkout, ids.refunded!, 'asked for')
  await runRefund(open.shop.checkout, refund.id)
  captures = (await provider(open.shop).captures()) as SandboxCapture[]
  client = new pg.Client({ connectionString: open.shop.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `SELECT object_id AS id FROM product_files WHERE product_id = $1`,
    [book.id],
  )
  ids.object = rows[0]!.id
})
afterAll(() => client.end())

const look = (): Look => ({ seen, objectsDir: join(open.shop.dataDir, 'objects') })

test('finds no violation in a shop at rest', async () => {
  expect(await findViolations(open.shop.databaseUrl, captures, look())).toEqual([])
})

type Plant = {
  violation: string
  message: RegExp
  /** SQL with {name} for ids, rolled back after the test. */
  plant?: string
  captures?: (captures: SandboxCapture[]) => SandboxCapture[]
  seen?: (seen: Observed[]) => Observed[]
}

const codeOfCard = `(SELECT c.id FROM codes c JOIN order_lines l ON l.id = c.order_line_id WHERE l.order_id = '{card}')`
const paymentOf = (name: string) => `(SELECT id FROM payments WHERE order_id = '{${name}}')`
const lineOf = (name: string) => `(SELECT id FROM order_lines WHERE order_id = '{${name}}')`
const unguarded = (table: string) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`

const discount = (order: string, terms: string, returnedAt: string) => `
  INSERT INTO discounts (id, seller_id, code, percent, is_for_all, is_first_only, most_uses, uses)
    SELECT '{second}', seller_id, 'QUIETWEEK', 20, true, false, ${terms} FROM order_lines WHERE order_id = '{${order}}';
  INSERT INTO discount_uses (order_id, discount_id, user_id, code, amount_cents, paid_cents, returned_at)
    SELECT id, '{second}', user_id, 'QUIETWEEK', 1, 1, ${returnedAt} FROM orders WHERE id = '{${order}}';`

const plants: Plant[] = [
  {
    violation: 'an order completed without a payment',
    message: /^INV1: order {paid} is completed without a captured payment/,
    plant: `UPDATE payments SET status = 'expired' WHERE order_id = '{paid}'`,
  },
  {
    violation: 'a capture that the provider does not know',
    message: /^INV1: order {paid} is completed without/,
    captures: (all) => all.slice(1),
  },
  {
    violation: 'a capture of another amount',
    message: /^INV1: order {paid} is completed without/,
    captures: ([first, ...rest]) => [{ ...first!, amount: '9.99' }, ...rest],
  },
  {
    violation: 'money kept for a failed order',
    message: /^INV2: 1000 cents of capture XX are kept, and its order is failed/,
    captures: (all) => [...all, { ...all[0]!, id: 'XX', customId: ids['failed payment']!, refunded: '0.00' }],
  },
  {
    violation: 'money kept for an unknown payment',
    message: /^INV2: 1000 cents of capture XX are kept, and its order is unknown/,
    captures: (all) => [...all, { ...all[0]!, id: 'XX', customId: crypto.randomUUID() }],
  },
  {
    violation: 'money kept for a payment that has ended',
    message: /^INV2: capture XX is kept, and its payment is canceled and not given back/,
    captures: (all) => [...all, { ...all[0]!, id: 'XX', customId: ids['failed payment']!, refunded: '0.00' }],
  },
  {
    violation: 'a hold for a payment that has ended',
    message: /^HOLD: the money of order {failed} waits for a decision, and its payment is canceled/,
    plant: `INSERT INTO risk_holds (order_id, user_id, kind, decision_id, payment_id, is_cleared_by_confirming, ends_at)
      SELECT order_id, user_id, 'hold', id, ${paymentOf('failed')}, false, now() + interval '1 hour'
      FROM risk_decisions WHERE order_id = '{failed}' LIMIT 1`,
  },
  {
    violation: 'a captured payment whose order failed',
    message: /^INV2: a payment of the failed order {failed} is captured/,
    plant: `UPDATE payments SET status = 'captured', provider_capture_id = 'XX' WHERE order_id = '{failed}'`,
  },
  {
    violation: 'a paid line that was not delivered',
    message: /^INV2: a line of the completed order {paid} is not delivered/,
    plant: `DELETE FROM entitlements WHERE order_line_id = ${lineOf('paid')}`,
  },
  {
    violation: 'goods of an order that was not paid',
    message: /^INV3: a line of the failed order {failed} is delivered/,
    plant: `INSERT INTO entitlements (order_line_id, user_id, product_id, file_id)
      SELECT l.id, o.user_id, l.product_id, l.file_id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.id = '{failed}'`,
  },
  {
    violation: 'goods of a refunded order',
    message: /^INV3: a line of the refunded order {refunded} is delivered/,
    plant: `UPDATE entitlements SET revoked_at = NULL WHERE order_line_id = ${lineOf('refunded')}`,
  },
  {
    violation: 'goods delivered to another customer',
    message: /^INV3: a line of order {paid} is delivered to another customer/,
    plant: `UPDATE entitlements SET user_id = '{card buyer}' WHERE order_line_id = ${lineOf('paid')}`,
  },
  {
    violation: 'a code sold on an order that failed',
    message: /^INV3: code .* is sold on the failed order {failed}/,
    plant: `UPDATE codes SET state = 'sold', payment_id = ${paymentOf('failed')}, order_line_id = ${lineOf('failed')} WHERE state = 'free'`,
  },
  {
    violation: 'a code of two orders',
    message: /^INV3: code .* is held by a payment of one order for a line of another/,
    plant: `UPDATE codes SET payment_id = ${paymentOf('paid')} WHERE id = ${codeOfCard}`,
  },
  {
    violation: 'a code sold twice',
    message: /^INV3: the same code of product .* is sold 2 times/,
    plant: `DROP INDEX codes_fingerprint;
      INSERT INTO codes (product_id, ciphertext, fingerprint, state, payment_id, order_line_id)
      SELECT product_id, ciphertext, fingerprint, state, payment_id, order_line_id FROM codes WHERE id = ${codeOfCard}`,
  },
  {
    violation: 'a missing code',
    message: /^INV3: order {card} is owed 1 codes and has 0/,
    plant: `UPDATE codes SET state = 'free', payment_id = NULL, order_line_id = NULL WHERE id = ${codeOfCard}`,
  },
  {
    violation: 'a missing licence key',
    message: /^INV3: order {paid} is owed a licence key of 1 seats and has 0/,
    plant: `UPDATE order_lines SET delivery = 'license' WHERE order_id = '{paid}'`,
  },
  {
    violation: 'a sum that differs from the provider by a cent',
    message: /^INV4: the provider keeps 1999 cents and completed orders come to 2000/,
    captures: (all) => all.map((one) => (one.refunded === '0.00' ? one : { ...one, refunded: '10.01' })),
  },
  {
    violation: 'a payment captured twice',
    message: /^INV5: payment {paid payment} was captured 2 times/,
    captures: (all) => [...all, { ...all[0]!, id: 'XX', refunded: '10.00' }],
  },
  {
    violation: 'an order paid by two payments',
    message: /^INV5: order {paid} was paid 2 times/,
    plant: `INSERT INTO payments (id, order_id, provider, mode, status, amount_cents)
      VALUES ('{second}', '{paid}', 'paypal', 'sandbox', 'expired', 1000)`,
    captures: (all) => [...all, { ...all[0]!, id: 'XX', customId: ids.second! }],
  },
  {
    violation: 'two orders of one key',
    message: /^INV5: customer {paid buyer} has 2 orders of the key/,
    plant: `ALTER TABLE orders DROP CONSTRAINT orders_user_id_checkout_key_key;
      INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at)
      SELECT user_id, checkout_key, request_hash, source, total_cents, expires_at FROM orders WHERE id = '{paid}'`,
  },
  {
    violation: 'a total that is not the sum of its lines',
    message: /^INV7: order {failed} of 1001 cents has lines of 1000 cents/,
    plant: `UPDATE orders SET total_cents = 1001 WHERE id = '{failed}'`,
  },
  {
    violation: 'a discount that no code took',
    message: /^DISCOUNT: order {paid} has 10 cents of discount on its lines, and its codes took 0/,
    plant: `UPDATE order_lines SET discount_cents = 10 WHERE order_id = '{paid}'`,
  },
  {
    violation: 'a failed order that keeps its use',
    message: /^DISCOUNT: the failed order {failed} keeps its use of QUIETWEEK/,
    plant: discount('failed', 'NULL, 1', 'NULL'),
  },
  {
    violation: 'a paid order that returned its use',
    message: /^DISCOUNT: the completed order {paid} returned its use of QUIETWEEK/,
    plant: discount('paid', 'NULL, 0', 'now()'),
  },
  {
    violation: 'a code with more uses than orders',
    message: /^DISCOUNT: code {second} counts 2 uses of 2, and orders have 1/,
    plant: discount('paid', '2, 2', 'NULL'),
  },
  {
    violation: 'a payment of another amount than its order',
    message: /^INV7: a payment of 999 cents is for an order of 1000 cents/,
    plant: `UPDATE payments SET amount_cents = 999 WHERE order_id = '{failed}'`,
  },
  {
    violation: 'an order pending past its time',
    message: /^INV8: order {failed} is pending past its time/,
    plant: `UPDATE orders SET status = 'pending', expires_at = now() - interval '1 second' WHERE id = '{failed}'`,
  },
  {
    violation: 'a code held for a payment that has ended',
    message: /^INV8: code .* is held by a payment that is canceled/,
    plant: `UPDATE codes SET state = 'held', payment_id = ${paymentOf('failed')}, order_line_id = ${lineOf('failed')} WHERE state = 'free'`,
  },
  {
    violation: 'a payment stuck in capturing',
    message: /^INV8: payment {failed payment} is still capturing/,
    plant: `UPDATE payments SET status = 'capturing' WHERE order_id = '{failed}'`,
  },
  {
    violation: 'a refund stuck in requested',
    message: /^INV8: refund .* is still not made/,
    plant: `INSERT INTO refunds (payment_id, amount_cents, reason) VALUES (${paymentOf('paid')}, 1, 'x')`,
  },
  {
    violation: 'a lost cart',
    message: /^INV9: customer {failed buyer} put 1 of product .* into the cart, and 0 are left/,
    plant: `DELETE FROM cart_items WHERE user_id = '{failed buyer}'`,
  },
  {
    violation: 'a cart that was returned twice',
    message: /^INV9: customer {failed buyer} put 1 of product .* into the cart, and 2 are left/,
    plant: `UPDATE cart_items SET quantity = 2 WHERE user_id = '{failed buyer}'`,
  },
  {
    violation: 'an order whose cart was not emptied',
    message: /^INV9: customer {paid buyer} put 1 of product .* into the cart, and 2 are left/,
    plant: `INSERT INTO cart_items (user_id, product_id, quantity)
      SELECT '{paid buyer}', product_id, quantity FROM order_lines WHERE order_id = '{paid}'`,
  },
  {
    violation: 'an acknowledged order that is missing',
    message: /^INV6: order {second} was acknowledged and is gone/,
    seen: ([first, ...rest]) => [{ ...first!, orders: [{ orderId: ids.second!, totalCents: 1000 }] }, ...rest],
  },
  {
    violation: 'an acknowledged order with another total',
    message: /^INV6: order {paid} was acknowledged and is gone or another/,
    seen: ([first, ...rest]) => [{ ...first!, orders: [{ orderId: ids.paid!, totalCents: 1 }] }, ...rest],
  },
  {
    violation: 'an acknowledged completion that was undone',
    message: /^INV6: order {failed} was said to be completed and is not/,
    seen: ([first, ...rest]) => [{ ...first!, completed: [ids.failed!] }, ...rest],
  },
  {
    violation: 'a status without an event',
    message: /^INV10: order {failed} is pending, and its last event says failed/,
    plant: `UPDATE orders SET status = 'pending', expires_at = now() + interval '1 hour' WHERE id = '{failed}'`,
  },
  {
    violation: 'an illegal state transition',
    message: /^INV10: order {refunded} went from refunded to completed when it was refunded/,
    plant: `ALTER TABLE order_events DROP CONSTRAINT order_events_check;
      INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code) VALUES ('{refunded}', 'refunded', 'completed', 'x', 'other')`,
  },
  {
    violation: 'a transition from a wrong state',
    message: /^INV10: order {paid} went from pending to failed when it was completed/,
    plant: `INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code) VALUES ('{paid}', 'pending', 'failed', 'x', 'other')`,
  },
  {
    violation: 'a failed order completed without its capture',
    message: /^INV10: order {failed} came back from failed without a capture/,
    plant: `INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code) VALUES ('{failed}', 'failed', 'completed', 'x', 'other');
      UPDATE orders SET status = 'completed', completed_at = now() WHERE id = '{failed}'`,
  },
  {
    violation: 'a file whose bytes were never stored',
    message: /^INV11: file .* has no stored bytes/,
    plant: `ALTER TABLE objects DROP CONSTRAINT objects_check; UPDATE objects SET stored_at = NULL WHERE id = '{object}'`,
  },
  {
    violation: 'a file of another hash than its object',
    message: /^INV11: file .* has no stored bytes of its size and hash/,
    plant: `UPDATE product_files SET size_bytes = size_bytes + 1 WHERE object_id = '{object}'`,
  },
  {
    violation: 'an unbalanced ledger',
    message: /^LEDGER: all entries come to 5 cents/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id)
      VALUES ('{second}', 'seller:x', 5, ${paymentOf('paid')})`,
  },
  {
    violation: 'transfers that balance only together',
    message: /^LEDGER: transfer {second} comes to 5 cents/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id)
      SELECT id, 'seller:x', cents, ${paymentOf('paid')} FROM (VALUES ('{second}'::uuid, 5), ('{third}', -5)) AS plant (id, cents)`,
  },
  {
    violation: 'a ledger that differs from the provider',
    message: /^LEDGER: the ledger says that the provider holds 1990 cents, and it holds 2000/,
    plant: `${unguarded('ledger_entries')} UPDATE ledger_entries
      SET amount_cents = amount_cents - 10 * sign(amount_cents) WHERE payment_id = ${paymentOf('paid')}`,
  },
  {
    violation: 'a sale that the ledger does not owe',
    message: /^EARNINGS: seller:.* earned 948 cents with sales, and the ledger owes 950/,
    plant: `UPDATE earnings SET fee_cents = fee_cents + 2 WHERE order_id = '{card}'`,
  },
  {
    violation: 'a fee that nobody paid',
    message: /^EARNINGS: the shop kept 100 cents of fees, and the ledger has 99/,
    plant: `${unguarded('ledger_entries')} UPDATE ledger_entries SET amount_cents = amount_cents + 1
      WHERE account = 'fees' AND payment_id = ${paymentOf('paid')}`,
  },
  {
    violation: 'money of a seller that went nowhere',
    message: /^EARNINGS: transfer {second} moves money of seller:x without a payment or a payout/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents)
      VALUES ('{second}', 'seller:x', 5), ('{second}', 'promotion:goodwill', -5)`,
  },
  {
    violation: 'a paid line that earned nothing',
    message: /^EARNINGS: a line of 1000 cents of the completed order {paid} earned nothing/,
    plant: `DELETE FROM earnings WHERE order_id = '{paid}'`,
  },
  {
    violation: 'a refund that took nothing from its sale',
    message: /^EARNINGS: 1000 cents of the refunded order {refunded} are refunded, and 0 of its sales/,
    plant: `UPDATE earnings SET returned_cents = 0, returned_fee_cents = 0 WHERE order_id = '{refunded}'`,
  },
  {
    violation: 'a refund that no statement shows',
    message: /^EARNINGS: refunds took 999 cents and 50 of fees from seller .*, and the sales 1000 and 50/,
    plant: `${unguarded('earning_returns')} UPDATE earning_returns SET gross_cents = gross_cents - 1`,
  },
  {
    violation: 'a credit that is not the sum of its entries',
    message: /^CREDIT: customer {paid buyer} has 151 cents of credit, and entries of 150/,
    plant: `UPDATE credit_accounts SET balance_cents = 151 WHERE user_id = '{paid buyer}'`,
  },
  {
    violation: 'a credit that the ledger does not owe',
    message: /^CREDIT: customer {paid buyer} has 150 cents of credit, and the ledger owes 140/,
    plant: `${unguarded('ledger_entries')} UPDATE ledger_entries SET amount_cents = amount_cents + 10
      WHERE account = 'credit:{paid buyer}'`,
  },
  {
    violation: 'credit that was spent twice',
    message: /^CREDIT: customer {paid buyer} spent credit down to -850 cents/,
    plant: `INSERT INTO credit_entries (user_id, kind, amount_cents, order_id) VALUES ('{paid buyer}', 'spent', -1000, '{paid}')`,
  },
  {
    violation: 'an order whose credit was never taken',
    message: /^CREDIT: the completed order {paid} uses 5 cents of credit: 0 are taken and 0 given back/,
    plant: `UPDATE orders SET credit_cents = 5 WHERE id = '{paid}'`,
  },
  {
    violation: 'a failed order that keeps its credit',
    message: /^CREDIT: the failed order {failed} uses 0 cents of credit: 5 are taken and 0 given back/,
    plant: `INSERT INTO credit_entries (user_id, kind, amount_cents, order_id) VALUES ('{paid buyer}', 'spent', -5, '{failed}')`,
  },
  {
    violation: 'credit set aside for no order',
    message: /^CREDIT: 5 cents of credit are set aside for pending orders of 0/,
    plant: `INSERT INTO ledger_entries (transfer_id, account, amount_cents)
      VALUES ('{second}', 'credit:held', -5), ('{second}', 'promotion:goodwill', 5)`,
  },
  {
    violation: 'a second bonus',
    message: /^BONUS: order {card} earned a bonus and is no first purchase/,
    plant: `INSERT INTO credit_entries (user_id, kind, amount_cents, order_id) VALUES ('{paid buyer}', 'earned', 150, '{card}')`,
  },
  {
    violation: 'a bonus of a refunded order',
    message: /^BONUS: the refunded order {refunded} keeps 150 cents of its bonus/,
    plant: `UPDATE credit_bonuses SET taken_back_cents = 0 WHERE order_id = '{refunded}'`,
  },
  {
    violation: 'a bonus whose return has no entry',
    message: /^BONUS: the first purchase {paid} earned 150 cents, 50 taken back, and its entries come to 150/,
    plant: `UPDATE credit_bonuses SET taken_back_cents = 50 WHERE order_id = '{paid}'`,
  },
]

test.each(plants)('finds $violation', async (planted) => {
  const { rows } = await client.query<{ id: string; order_id: string }>('SELECT id, order_id FROM payments')
  for (const name of ['paid', 'failed']) ids[`${name} payment`] = rows.find((row) => row.order_id === ids[name])!.id
  ids.second = '11111111-1111-4111-8111-111111111111'
  ids.third = '22222222-2222-4222-8222-222222222222'
  const fill = (text: string) => text.replace(/\{([a-z ]+)\}/g, (_, name: string) => ids[name]!)
  await client.query('BEGIN')
  try {
    if (planted.plant) await client.query(fill(planted.plant))
    const given = planted.captures?.(captures) ?? captures
    const found = await findViolationsOn(client, given, { ...look(), seen: planted.seen?.(seen) ?? seen })
    expect(found).toContainEqual(expect.stringMatching(fill(planted.message.source)))
  } finally {
    await client.query('ROLLBACK')
  }
})

test('finds changed and missing files', async () => {
  const file = join(open.shop.dataDir, 'objects', ids.object!)
  await writeFile(file, 'something else')
  expect(await findViolations(open.shop.databaseUrl, captures, look())).toEqual([
    `INV11: the bytes of object ${ids.object} are other than its hash`,
  ])
  const elsewhere = { ...look(), objectsDir: open.shop.dataDir }
  expect((await findViolations(open.shop.databaseUrl, captures, elsewhere)).join()).toContain('are gone')
})

test('accepts unfinished work while faults go on', async () => {
  await client.query('BEGIN')
  await client.query(`UPDATE payments SET status = 'capturing' WHERE order_id = '${ids.failed}'`)
  expect(await findViolationsOn(client, captures, { isOver: false })).toEqual([])
  await client.query('ROLLBACK')
})
