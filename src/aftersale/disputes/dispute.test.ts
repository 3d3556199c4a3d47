import { describe, expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { wrongBooks } from '../../../test/credit.ts'
import { captureOf, dispute, hear } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { reconcileDay } from '../../audit/reports/reconcile.server.ts'
import { readBalance } from '../../payments/balance.server.ts'
import { getBalance } from '../../selling/balance/balance.contract.ts'
import { getSale } from '../../selling/sales/sales.contract.ts'
import { askRefund } from '../refunds/refund.contract.ts'
import { refundOrder } from '../refunds/refund.server.ts'
import {
  listDisputes,
  readDispute,
  replyToInquiry,
  settleDispute,
  submitEvidence as sendEvidence,
} from './dispute.contract.ts'
import { checkCapture } from './capture.check.server.ts'
import { handleDispute, lookAtDisputes, submitEvidence } from './dispute.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10', PAYOUT_HOLD_DAYS: '0' })
const joinStaff = () => open.shop.join({ role: 'finance' })

async function bought(price = '10.00') {
  const buyer = await open.shop.join()
  const product = await addProduct(open.shop, { price })
  const order = await buy(open.shop, buyer, product)
  const { rows } = await open.shop.database.pool.query<{ id: string }>(
    'SELECT seller_id AS id FROM products WHERE id = $1',
    [product.id],
  )
  return { buyer, order, sellerId: rows[0]!.id }
}

const reread = (buyer: Person, { id }: Order) => buyer.call(getOrder, { id })
const download = async (buyer: Person, { id, lines }: Order) => {
  const { url } = await buyer.call(grantDownload, { id, lineId: lines[0]!.id })
  return (await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).status
}
const balance = async (sellerId: string) => {
  const { availableCents, pendingCents } = await readBalance(open.shop.database.db, sellerId)
  return [availableCents, pendingCents]
}
const account = async (name: string, orderId: string) => {
  const { rows } = await open.shop.database.pool.query<{ cents: number }>(
    `SELECT coalesce(sum(l.amount_cents), 0)::int AS cents FROM ledger_entries l JOIN payments p ON p.id = l.payment_id
     WHERE l.account LIKE $1 AND p.order_id = $2`,
    [name, orderId],
  )
  return rows[0]!.cents
}
const rowOf = (id: string) =>
  open.shop.database.db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const mailsTo = async (email: string) => {
  const rows = await open.shop.database.db
    .selectFrom('mails')
    .select('subject')
    .where('recipient', '=', email)
    .execute()
  return rows.map(({ subject }) => subject)
}

test('locks downloads, refunds and the seller’s share while a dispute is open, and unlocks them when it is won', async () => {
  const staff = await joinStaff()
  const { buyer, order, sellerId } = await bought()
  expect(await balance(sellerId)).toEqual([900, 0])
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  const { end } = await dispute(open.shop, order.id)
  await expect(download(buyer, order)).rejects.toMatchObject({ status: 409, code: 'disputed' })
  // a link made before the dispute is also refused
  expect((await fetch(open.shop.url + url, { headers: { cookie: buyer.cookie } })).status).toBe(403)
  const asked = { id: order.id, amount: '1.00', left: '10.00', reason: 'asked for', isCodeSeen: false }
  await expect(
    staff.call(askRefund, asked, { headers: { 'idempotency-key': crypto.randomUUID() } }),
  ).rejects.toMatchObject({ status: 409, code: 'disputed' })
  expect(await balance(sellerId)).toEqual([0, 900])
  expect([await account('disputed', order.id), await account('provider:%', order.id)]).toEqual([1000, 0])
  expect((await reread(buyer, order)).dispute).toMatchObject({ state: 'open', amount: '10.00' })
  expect(await mailsTo(staff.email)).toContainEqual(
    expect.stringMatching(/^A payment of \$10\.00 is disputed/) as string,
  )
  expect(await wrongBooks(open.shop)).toEqual([])
  // a seller with incomplete payout details still gets the share in the balance
  await end('win')
  expect(await balance(sellerId)).toEqual([900, 0])
  expect([await account('disputed', order.id), await account('provider:%', order.id)]).toEqual([0, 1000])
  expect(await download(buyer, order)).toBe(200)
  expect(await reread(buyer, order)).toMatchObject({ status: 'completed', dispute: { state: 'won' } })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test("reverses sale and fee once for a lost dispute, ends access and raises the buyer's risk", async () => {
  const { buyer, order, sellerId } = await bought()
  const { ref, end } = await dispute(open.shop, order.id)
  await end('lose')
  // duplicate and late events report the same state
  for (let n = 0; n < 3; n++) await hear(open.shop, ref)
  expect(await balance(sellerId)).toEqual([0, 0])
  expect([await account('disputed', order.id), await account('fees', order.id)]).toEqual([0, 0])
  expect(await reread(buyer, order)).toMatchObject({
    ...{ status: 'refunded', dispute: { state: 'lost', amount: '10.00' }, refunds: [{ amount: '10.00' }] },
    lines: [{ delivery: null }],
  })
  expect(await mailsTo(buyer.email)).not.toContainEqual(expect.stringMatching(/^Refund of/) as string)
  // the next purchase of this new account needs a confirmation
  const next = buy(open.shop, buyer, await addProduct(open.shop))
  await expect(next).rejects.toMatchObject({ status: 409, code: 'confirm_needed' })
  const { rows } = await open.shop.database.pool.query<{ points: number }>(
    `SELECT (reason->>'points')::int AS points FROM risk_decisions, jsonb_array_elements(reasons) reason
     WHERE user_id = $1 AND reason->>'rule' = 'disputes'`,
    [buyer.id],
  )
  expect(rows.map(({ points }) => points)).toEqual([30])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test.each([
  ['the shop', 400],
  ['the dashboard', 400],
  ['the shop', 1000],
])('never takes money twice when a dispute is lost after a refund by %s of %i cents', async (by, cents) => {
  const { order, sellerId } = await bought()
  if (by === 'the shop') {
    await refundOrder(open.shop.checkout, order.id, 'asked for', cents)
    await runRefunds(open.shop)
  } else {
    const { captureId } = await captureOf(open.shop, order.id)
    await handleRefund(open.shop, captureId, await refundAtDashboard(open.shop, captureId, cents))
  }
  const { id, end } = await dispute(open.shop, order.id)
  expect((await rowOf(id)).heldCents).toBe(1000 - cents)
  expect(await wrongBooks(open.shop)).toEqual([])
  await end('lose')
  expect(await balance(sellerId)).toEqual([0, 0])
  const { rows } = await open.shop.database.pool.query<{ back: number }>(
    `SELECT sum(r.amount_cents)::int AS back FROM refunds r JOIN payments p ON p.id = r.payment_id
     WHERE p.order_id = $1 AND r.status = 'completed'`,
    [order.id],
  )
  expect(rows[0]!.back).toBe(1000)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('leaves the goods after a partly lost dispute, and divides its cents among the sellers', async () => {
  const buyer = await open.shop.join()
  const goods = await Promise.all(
    ['6.00', '4.00'].map(async (price) => ({ product: await addProduct(open.shop, { price }) })),
  )
  const order = await buyMany(open.shop, buyer, goods)
  const { end } = await dispute(open.shop, order.id, 500)
  await end('lose')
  expect(await reread(buyer, order)).toMatchObject({ status: 'completed', refunds: [{ amount: '5.00' }] })
  expect(await download(buyer, order)).toBe(200)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('shows a dispute to the seller on the sale and the balance, and mails a link to the sale', async () => {
  const { order, sellerId } = await bought()
  const { rows } = await open.shop.database.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    sellerId,
  ])
  const { email } = rows[0]!
  const cookie = await open.shop.identity.createSession(email)
  const read = async () => [
    await open.shop.call(getSale, { id: order.lines[0]!.id }, { headers: { cookie } }),
    await open.shop.call(getBalance, {}, { headers: { cookie } }),
  ]
  const { end } = await dispute(open.shop, order.id)
  expect(await read()).toMatchObject([
    { state: 'disputed', amount: '10.00', refunded: '0.00' },
    { available: '0.00', pending: '0.00', disputed: '9.00', disputedSales: 1 },
  ])
  const mails = await open.shop.database.pool.query<{ body: string }>(
    `SELECT body_text AS body FROM mails WHERE recipient = $1 AND subject LIKE 'A sale of yours is disputed%'`,
    [email],
  )
  expect(mails.rows[0]!.body).toContain(`/sales/${order.lines[0]!.id}`)
  await end('lose', 200)
  expect(await read()).toMatchObject([
    { state: 'part_refunded', refunded: '2.00' },
    { available: '7.20', disputed: '0.00', disputedSales: 0 },
  ])
})

describe('a dispute won in part by the buyer', () => {
  test('takes that part only, and leaves the rest of the money and the goods', async () => {
    const staff = await joinStaff()
    const { buyer, order, sellerId } = await bought()
    const { id, ref, end } = await dispute(open.shop, order.id)
    await end('lose', 200)
    for (let n = 0; n < 2; n++) await hear(open.shop, ref)
    expect([await account('disputed', order.id), await account('provider:%', order.id)]).toEqual([0, 800])
    expect(await balance(sellerId)).toEqual([720, 0])
    expect(await reread(buyer, order)).toMatchObject({
      ...{ status: 'completed', dispute: { state: 'lost', amount: '2.00' }, refunds: [{ amount: '2.00' }] },
    })
    expect(await download(buyer, order)).toBe(200)
    expect(await staff.call(readDispute, { id })).toMatchObject({ state: 'lost', amount: '10.00', lost: '2.00' })
    expect(await wrongBooks(open.shop)).toEqual([])
    // the provider's report matches, and the risk rules do not count this as a lost dispute
    const today = new Date().toISOString().slice(0, 10)
    const reconciled = await reconcileDay(open.shop.database.pool, open.shop.checkout.providers.main, today)
    const { captureId } = await captureOf(open.shop, order.id)
    expect(JSON.stringify(reconciled)).toMatch(new RegExp(`"captureRef":"${captureId}"`))
    // fees of the capture and of the dispute
    const fees = reconciled.kind === 'compared' ? reconciled.fees.map(({ amountCents }) => amountCents) : []
    expect(fees).toEqual(expect.arrayContaining([84, 2000]))
    const differences = reconciled.kind === 'compared' ? reconciled.differences : [reconciled]
    expect(JSON.stringify(differences)).not.toMatch(new RegExp(`${captureId}|${ref}`))
    await buy(open.shop, buyer, await addProduct(open.shop))
    const { rows } = await open.shop.database.pool.query(
      `SELECT FROM risk_decisions, jsonb_array_elements(reasons) reason WHERE user_id = $1 AND reason->>'rule' = 'disputes'`,
      [buyer.id],
    )
    expect(rows).toEqual([])
  })

  test('counts a refund that the provider reports for the dispute once', async () => {
    const { buyer, order, sellerId } = await bought()
    const { captureId } = await captureOf(open.shop, order.id)
    const { end } = await dispute(open.shop, order.id)
    await end('lose', 200)
    expect(await handleRefund(open.shop, captureId, await refundAtDashboard(open.shop, captureId, 200))).toBe(
      'the money of a lost dispute',
    )
    expect(await balance(sellerId)).toEqual([720, 0])
    expect((await reread(buyer, order)).refunds).toHaveLength(1)
  })

  test('lets staff settle it for a part of at most the disputed sum', async () => {
    const staff = await joinStaff()
    const { order, sellerId } = await bought()
    const { id, ref } = await dispute(open.shop, order.id)
    await open.shop.database.pool.query(`UPDATE sandbox.records SET kind = 'forgotten' WHERE id = $1`, [ref])
    await hear(open.shop, ref)
    await open.shop.database.pool.query(
      `UPDATE disputes SET missing_since = now() - interval '2 hours' WHERE id = $1`,
      [id],
    )
    const asked = { id, outcome: 'lost' as const, reference: 'the provider’s pages' }
    await expect(staff.call(settleDispute, { ...asked, amount: '10.01' })).rejects.toMatchObject({ status: 400 })
    await expect(staff.call(settleDispute, { ...asked, amount: '0.00' })).rejects.toMatchObject({ status: 400 })
    await expect(staff.call(settleDispute, { ...asked, outcome: 'won', amount: '1.00' })).rejects.toMatchObject({
      status: 400,
    })
    await staff.call(settleDispute, { ...asked, amount: '2.50' })
    expect(await balance(sellerId)).toEqual([675, 0])
    expect(await rowOf(id)).toMatchObject({ state: 'lost', lostCents: 250 })
    expect(await wrongBooks(open.shop)).toEqual([])
  })
})

test.each([
  [undefined, { state: 'lost' }, [0, 0]],
  [300, { state: 'needs_evidence' }, [0, 900]],
] as const)('reads the capture of a dispute without an outcome: the buyer got %s cents', async (part, row, money) => {
  const { order, sellerId } = await bought()
  const { id, ref } = await dispute(open.shop, order.id)
  await provider(open.shop).endDispute(ref, 'silent', part)
  await hear(open.shop, ref)
  // staff enter a part of unknown size
  expect(await rowOf(id)).toMatchObject(row)
  expect((await rowOf(id)).missingSince === null).toBe(part === undefined)
  expect(await balance(sellerId)).toEqual(money)
})

test('leaves a dispute with an unknown outcome to staff when its opening was never reported', async () => {
  const { order } = await bought()
  const { captureId } = await captureOf(open.shop, order.id)
  const ref = await provider(open.shop).dispute(captureId)
  await provider(open.shop).endDispute(ref, 'silent', 300)
  await hear(open.shop, ref)
  const row = await open.shop.database.db
    .selectFrom('disputes')
    .select(['missingSince', 'endedAt'])
    .where('providerDisputeId', '=', ref)
    .executeTakeFirst()
  expect(row).toEqual({ missingSince: expect.any(Date) as Date, endedAt: null })
})

test.each(['PENDING', 'DECLINED', 'FAILED'])(
  'returns an unknown refund amount for a capture that is %s',
  async (status) => {
    const { order } = await bought()
    const { paymentId, captureId } = await captureOf(open.shop, order.id)
    const set = (given: string) =>
      open.shop.database.pool.query(
        `UPDATE sandbox.records SET body = (body::jsonb || jsonb_build_object('status', $2::text))::json WHERE kind = 'capture' AND id = $1`,
        [captureId, given],
      )
    await set(status)
    await expect(checkCapture(open.shop.checkout, paymentId)).rejects.toThrow(status)
    // the sandbox cannot show captures with the other statuses
    await set('COMPLETED')
  },
)

test('compares a capture only when no refund is in progress', async () => {
  const { order } = await bought()
  const { paymentId } = await captureOf(open.shop, order.id)
  await refundOrder(open.shop.checkout, order.id, 'broken', 100)
  await expect(checkCapture(open.shop.checkout, paymentId)).rejects.toThrow('under way')
})

test('compares the capture after a dispute ended, and mails staff about a difference', async () => {
  const staff = await joinStaff()
  const { order } = await bought()
  const { end } = await dispute(open.shop, order.id)
  await end('lose')
  const { paymentId, captureId } = await captureOf(open.shop, order.id)
  const { rows } = await open.shop.database.pool.query(`SELECT FROM graphile_worker.jobs WHERE key = $1`, [
    `check_capture:${paymentId}`,
  ])
  expect(rows).toHaveLength(1)
  await checkCapture(open.shop.checkout, paymentId)
  const differs = expect.stringContaining('and the ledger differ') as string
  expect(await mailsTo(staff.email)).not.toContainEqual(differs)
  await open.shop.database.pool.query(
    `UPDATE sandbox.records SET body = (body::jsonb || '{"status": "PARTIALLY_REFUNDED"}')::json WHERE kind = 'capture' AND id = $1`,
    [captureId],
  )
  await checkCapture(open.shop.checkout, paymentId)
  expect(await mailsTo(staff.email)).toContainEqual(differs)
})

describe('an inquiry', () => {
  test('accepts messages and offers instead of evidence, and can become a claim', async () => {
    const staff = await joinStaff()
    const { order } = await bought()
    const { id, ref } = await dispute(open.shop, order.id, undefined, 'INQUIRY')
    const subject = expect.stringMatching(/^A buyer asks for a refund/) as string
    expect(await mailsTo(staff.email)).toContainEqual(subject)
    expect(await staff.call(readDispute, { id })).toMatchObject({
      ...{ stage: 'inquiry', canSubmit: false, canReply: true, held: '10.00' },
    })
    await expect(staff.call(sendEvidence, { id, note: '' })).rejects.toMatchObject({ status: 409, code: 'is_inquiry' })
    const message = { id, key: crypto.randomUUID(), text: 'Which file does not open?' }
    for (let n = 0; n < 2; n++) await staff.call(replyToInquiry, message)
    const offer = { id, key: crypto.randomUUID(), text: 'Half of it?', offer: '5.00' }
    await expect(staff.call(replyToInquiry, { ...offer, offer: '10.01' })).rejects.toMatchObject({ status: 400 })
    await expect(staff.call(replyToInquiry, { ...offer, offer: '0.00' })).rejects.toMatchObject({ status: 400 })
    await staff.call(replyToInquiry, offer)
    const { rows } = await open.shop.database.pool.query<{ messages: object[] }>(
      `SELECT body->'messages' AS messages FROM sandbox.records WHERE kind = 'dispute' AND id = $1`,
      [ref],
    )
    expect(rows[0]!.messages).toEqual([
      { text: message.text, offerCents: null },
      { text: offer.text, offerCents: 500 },
    ])
    await open.shop.database.pool.query(
      `UPDATE sandbox.records SET body = (body::jsonb || '{"stage": "CHARGEBACK", "status": "WAITING_FOR_SELLER_RESPONSE"}')::json
       WHERE kind = 'dispute' AND id = $1`,
      [ref],
    )
    await hear(open.shop, ref)
    expect(await staff.call(readDispute, { id })).toMatchObject({ stage: 'claim', canSubmit: true, canReply: false })
    expect(await mailsTo(staff.email)).toContainEqual(
      expect.stringMatching(/^A payment of \$10\.00 is disputed/) as string,
    )
    await expect(staff.call(replyToInquiry, message)).rejects.toMatchObject({ status: 409, code: 'no_inquiry' })
  })

  test('rejects an offer above the approval limit', async () => {
    const staff = await joinStaff()
    const { order } = await bought('600.00')
    const { id } = await dispute(open.shop, order.id, undefined, 'INQUIRY')
    const offer = { id, key: crypto.randomUUID(), text: 'All of it.', offer: '600.00' }
    await expect(staff.call(replyToInquiry, offer)).rejects.toMatchObject({ status: 409, code: 'needs_approval' })
  })

  test('counts earlier refunds towards the approval limit, and audits an offer before sending it', async () => {
    const [staff, admin] = [await joinStaff(), await open.shop.join({ isAdmin: true })]
    const { order } = await bought('600.00')
    await refundOrder(open.shop.checkout, order.id, 'broken', 30_000)
    await runRefunds(open.shop)
    const { id, ref } = await dispute(open.shop, order.id, 30_000, 'INQUIRY')
    const offer = { id, key: crypto.randomUUID(), text: 'The rest.', offer: '300.00' }
    await expect(staff.call(replyToInquiry, offer)).rejects.toMatchObject({ status: 409, code: 'needs_approval' })
    await open.shop.database.pool.query(`UPDATE sandbox.records SET kind = 'forgotten' WHERE id = $1`, [ref])
    await expect(staff.call(replyToInquiry, { ...offer, offer: '100.00' })).rejects.toThrow()
    expect(await admin.call(listAudit, { q: order.id })).toContainEqual(
      expect.objectContaining({ act: 'dispute.replied', details: { dispute: id, offer: '$100.00' } }),
    )
  })
})

test('delays a refund requested before a dispute until the dispute ends', async () => {
  const { order } = await bought()
  const { id } = await refundOrder(open.shop.checkout, order.id, 'asked for', 300)
  const { end } = await dispute(open.shop, order.id)
  await runRefunds(open.shop)
  const read = () =>
    open.shop.database.db.selectFrom('refunds').select('status').where('id', '=', id).executeTakeFirst()
  expect(await read()).toEqual({ status: 'requested' })
  await end('win')
  await runRefunds(open.shop)
  expect(await read()).toEqual({ status: 'completed' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('shows staff the evidence before they send it, and sends it once', async () => {
  const staff = await joinStaff()
  const { buyer, order } = await bought()
  expect(await download(buyer, order)).toBe(200)
  const { id, ref } = await dispute(open.shop, order.id)
  expect((await staff.call(listDisputes, {})).map((one) => one.id)).toContain(id)
  const file = await staff.call(readDispute, { id })
  expect(file).toMatchObject({
    ...{ orderId: order.id, amount: '10.00', state: 'needs_evidence', canSubmit: true, held: '10.00', disputeRef: ref },
    evidence: {
      ...{ buyerName: 'Test Person', buyerEmail: buyer.email, productDescription: 'A small book' },
      deliveryLog: [
        expect.stringMatching(/UTC: access was given to “A small book”$/) as string,
        expect.stringMatching(/UTC: the buyer downloaded “A small book” from /) as string,
      ],
      refundPolicy: expect.stringContaining('Within 14 days') as string,
    },
  })
  expect(Date.parse(file.dueAt!)).toBeGreaterThan(Date.now())
  await staff.call(sendEvidence, { id, note: 'Opened within a minute.' })
  await expect(staff.call(sendEvidence, { id, note: 'Again.' })).rejects.toMatchObject({
    status: 409,
    code: 'evidence_sent',
  })
  // the response may be lost: the provider accepts the evidence once
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  await expect(submitEvidence(open.shop.checkout, id)).rejects.toThrow()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  for (let n = 0; n < 2; n++) await submitEvidence(open.shop.checkout, id)
  expect(await staff.call(readDispute, { id })).toMatchObject({
    ...{ state: 'under_review', note: 'Opened within a minute.', sender: staff.email, canSubmit: false },
    sentAt: expect.any(String) as string,
  })
  const { rows } = await open.shop.database.pool.query<{ evidence: { notes: string }[] }>(
    `SELECT body->'evidence' AS evidence FROM sandbox.records WHERE kind = 'dispute' AND id = $1`,
    [ref],
  )
  expect(rows[0]!.evidence).toHaveLength(1)
  expect(rows[0]!.evidence[0]!.notes).toMatch(/^Opened within a minute\.[^]*the buyer downloaded/)
})

test('lets only finance staff with a fresh proof respond, and never the buyer', async () => {
  const { buyer, order } = await bought()
  const { id } = await dispute(open.shop, order.id)
  await expect(buyer.call(readDispute, { id })).rejects.toMatchObject({ status: 403 })
  const support = await open.shop.join({ role: 'support' })
  await expect(support.call(sendEvidence, { id, note: '' })).rejects.toMatchObject({ status: 403 })
  const staff = await joinStaff()
  await open.shop.database.pool.query('UPDATE disputes SET user_id = $1 WHERE id = $2', [staff.id, id])
  await expect(staff.call(sendEvidence, { id, note: '' })).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
  await open.shop.database.pool.query(
    `UPDATE sessions SET verified_at = now() - interval '11 minutes' WHERE user_id = $1`,
    [staff.id],
  )
  await expect(staff.call(sendEvidence, { id, note: '' })).rejects.toMatchObject({
    status: 403,
    code: 'step_up_required',
  })
  await expect(staff.call(readDispute, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('detects the end of a dispute without a webhook', async () => {
  const { buyer, order } = await bought()
  const { id, ref } = await dispute(open.shop, order.id)
  await provider(open.shop).endDispute(ref, 'win')
  await lookAtDisputes(open.shop.checkout)
  expect((await rowOf(id)).state).toBe('needs_evidence')
  await open.shop.database.pool.query(`UPDATE disputes SET looked_at = now() - interval '31 minutes' WHERE id = $1`, [
    id,
  ])
  await lookAtDisputes(open.shop.checkout)
  expect((await rowOf(id)).state).toBe('won')
  expect((await reread(buyer, order)).dispute).toMatchObject({ state: 'won' })
})

test('ignores an unknown dispute and a dispute of a foreign capture', async () => {
  expect(await hear(open.shop, 'PP-D-UNKNOWN')).toBe('no dispute at the provider')
  const { order } = await bought()
  const { captureId, paymentId } = await captureOf(open.shop, order.id)
  const ref = await provider(open.shop).dispute(captureId)
  const move = (id: string) =>
    open.shop.database.pool.query('UPDATE payments SET provider_capture_id = $1 WHERE id = $2', [id, paymentId])
  await move(`X${captureId}`)
  expect(await hear(open.shop, ref)).toBe('no payment of ours')
  await move(captureId)
  // the capture belongs to another provider
  const other = { ...open.shop.checkout.providers.main, name: 'other' }
  expect(await handleDispute(open.shop.checkout, other, { disputeRef: ref })).toBe('no payment of ours')
  expect(
    await open.shop.database.db.selectFrom('disputes').selectAll().where('orderId', '=', order.id).execute(),
  ).toEqual([])
})

test('releases nothing when the first of two disputes of a payment ends', async () => {
  const { buyer, order, sellerId } = await bought()
  const [first, second] = [await dispute(open.shop, order.id, 400), await dispute(open.shop, order.id, 300)]
  await first.end('win')
  expect([await rowOf(first.id), await rowOf(second.id)]).toMatchObject([{ state: 'won' }, { heldCents: 300 }])
  expect(await balance(sellerId)).toEqual([0, 900])
  await expect(download(buyer, order)).rejects.toMatchObject({ status: 409, code: 'disputed' })
  expect(await wrongBooks(open.shop)).toEqual([])
  await second.end('win')
  expect(await balance(sellerId)).toEqual([900, 0])
})

test('takes the money when a won dispute is lost on appeal', async () => {
  const { buyer, order, sellerId } = await bought()
  const { id, ref, end } = await dispute(open.shop, order.id)
  await end('win')
  const decide = (status: string, outcome: string | null) =>
    open.shop.database.pool.query(
      `UPDATE sandbox.records SET body = (body::jsonb || jsonb_build_object('status', $2::text, 'outcome', $3::text))::json
       WHERE kind = 'dispute' AND id = $1`,
      [ref, status, outcome],
    )
  await decide('UNDER_REVIEW', null)
  await open.shop.database.pool.query(`UPDATE disputes SET looked_at = now() - interval '25 hours' WHERE id = $1`, [id])
  await lookAtDisputes(open.shop.checkout)
  expect(await rowOf(id)).toMatchObject({ state: 'under_review', heldCents: 1000, endedAt: null })
  expect(await balance(sellerId)).toEqual([0, 900])
  await expect(download(buyer, order)).rejects.toMatchObject({ status: 409, code: 'disputed' })
  await decide('RESOLVED', 'RESOLVED_BUYER_FAVOUR')
  await hear(open.shop, ref)
  expect(await rowOf(id)).toMatchObject({ state: 'lost', heldCents: 0 })
  expect(await balance(sellerId)).toEqual([0, 0])
  expect((await reread(buyer, order)).status).toBe('refunded')
  // later events do not change a lost dispute
  await decide('RESOLVED', 'RESOLVED_SELLER_FAVOUR')
  await hear(open.shop, ref)
  expect((await rowOf(id)).state).toBe('lost')
  expect(await wrongBooks(open.shop)).toEqual([])
})

describe('a dispute that the provider does not find', () => {
  const move = (ref: string, from: string, to: string) =>
    open.shop.database.pool.query(`UPDATE sandbox.records SET kind = $3 WHERE kind = $2 AND id = $1`, [ref, from, to])
  async function forgotten() {
    const made = await bought()
    const { id, ref } = await dispute(open.shop, made.order.id)
    await move(ref, 'dispute', 'forgotten')
    expect(await hear(open.shop, ref)).toBe('no dispute at the provider')
    const wait = () =>
      open.shop.database.pool.query(`UPDATE disputes SET missing_since = now() - interval '61 minutes' WHERE id = $1`, [
        id,
      ])
    return { ...made, id, ref, wait }
  }
  const end = { outcome: 'won' as const, reference: 'the provider’s pages' }

  test.each([
    ['won', [900, 0], 'completed'],
    ['lost', [0, 0], 'refunded'],
  ] as const)('is listed for staff, who enter that it was %s', async (outcome, money, status) => {
    const staff = await joinStaff()
    const { buyer, order, sellerId, id, wait } = await forgotten()
    await expect(staff.call(settleDispute, { ...end, id })).rejects.toMatchObject({ code: 'provider_knows' })
    expect(await staff.call(readDispute, { id })).toMatchObject({
      ...{ canSettle: false, canSubmit: false, missingSince: expect.any(String) as string },
    })
    expect(await isWaiting(id)).toBe(false)
    await wait()
    expect(await staff.call(readDispute, { id })).toMatchObject({ canSettle: true })
    expect(await isWaiting(id)).toBe(true)
    expect(await balance(sellerId)).toEqual([0, 900])
    await staff.call(settleDispute, { ...end, id, outcome })
    expect(await balance(sellerId)).toEqual(money)
    expect((await reread(buyer, order)).status).toBe(status)
    expect(await rowOf(id)).toMatchObject({ state: outcome, heldCents: 0, settledBy: staff.id, missingSince: null })
    await expect(staff.call(settleDispute, { ...end, id })).rejects.toMatchObject({ code: 'dispute_ended' })
    const { rows } = await open.shop.database.pool.query<{ details: object }>(
      `SELECT details FROM audit WHERE act = 'dispute.settled' AND subject_id = $1`,
      [order.id],
    )
    expect(rows.map(({ details }) => details)).toEqual([{ dispute: id, as: outcome, reference: end.reference }])
    expect(await wrongBooks(open.shop)).toEqual([])
  })

  test("returns to the provider's decision once the provider finds it, and is never the buyer's to decide", async () => {
    const staff = await joinStaff()
    const { id, ref, wait } = await forgotten()
    await wait()
    await open.shop.database.pool.query('UPDATE disputes SET user_id = $1 WHERE id = $2', [staff.id, id])
    await expect(staff.call(settleDispute, { ...end, id })).rejects.toMatchObject({ code: 'own_purchase' })
    await move(ref, 'forgotten', 'dispute')
    await hear(open.shop, ref)
    expect(await rowOf(id)).toMatchObject({ state: 'needs_evidence', missingSince: null })
    await expect((await joinStaff()).call(settleDispute, { ...end, id })).rejects.toMatchObject({
      code: 'provider_knows',
    })
  })
})

test('a dispute is open work of staff until it ends', async () => {
  const { order } = await bought()
  const { id, end } = await dispute(open.shop, order.id)
  expect(await isWaiting(id)).toBe(true)
  await end('win')
  expect(await isWaiting(id)).toBe(false)
})

async function isWaiting(id: string) {
  const { rowCount } = await open.shop.database.pool.query('SELECT FROM waiting_dispute WHERE id = $1', [id])
  return rowCount === 1
}
