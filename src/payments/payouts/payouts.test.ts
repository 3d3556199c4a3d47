import { expect, onTestFinished, test, vi } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { give } from '../../../test/credit.ts'
import { earn, passPayoutWait } from '../../../test/earn.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedLink } from '../../../test/mail.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { until } from '../../../test/sandbox.ts'
import { send as sendCall } from '../../kit/call.ts'
import { listPayoutItems } from '../../../sandbox/paypal/contract.ts'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { processWebhook } from '../../aftersale/events.server.ts'
import { getLeaving, requestDeletion } from '../../identity/accounts/deletion.contract.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { findViolations } from '../../audit/faults.server.ts'
import { addHook } from '../../notifications/hooks/hooks.contract.ts'
import { suspendSeller } from '../../moderation/moderation.contract.ts'
import {
  approvePayouts,
  getPayouts,
  listPayoutBatches,
  listQueuedPayouts,
  markPayouts,
  requestPayout,
  savePayoutDetails,
  setPayoutSchedule,
} from './payouts.contract.ts'
import { payErasedAccounts } from './last.server.ts'
import { requestMonthly } from './request.server.ts'
import { readBatch, reconcilePayouts, sendBatch } from './send.server.ts'
import { settlePayout } from './settle.server.ts'

// The shop runs without jobs. Each test calls the jobs that it needs.

const open = openShopForTests({ PAYOUT_BANK_ACCOUNT: 'DE89370400440532013000', PAYOUT_BANK_CODE: 'COBADEFF' })
const ctx = () => open.shop.checkout.payouts
const pool = () => open.shop.database.pool

const BANK = { method: 'bank', holder: 'Ada Okafor', account: 'GB29 NWBK 6016 1331 9268 19', bank: 'NWBKGB2L' } as const

let sellers = 0
async function joinSeller(cents = 30_000, tag = ''): Promise<Person & { paypal: string }> {
  const person = await open.shop.join({ firstName: 'Ada' })
  if (cents > 0) await earn(open.shop, person.id, cents)
  const paypal = `seller${++sellers}${tag}@mail.example`
  await person.call(savePayoutDetails, { details: { method: 'paypal', email: paypal } })
  await passPayoutWait(open.shop, person.id)
  return { ...person, paypal }
}
const joinStaff = () => open.shop.join({ role: 'finance' })

const availableOf = async (person: Person) => (await person.call(getPayouts, {})).available
const stateOf = async (person: Person) => (await person.call(getPayouts, {})).payouts.map(({ state }) => state)

async function ledgerOf(account: string): Promise<number> {
  const { rows } = await pool().query<{ cents: number }>(
    'SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM ledger_entries WHERE account = $1',
    [account],
  )
  return rows[0]!.cents
}

/** Approves the waiting payouts of these sellers and returns the batch id. */
async function approve(staff: Person, ...of: Person[]): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM payouts WHERE state = 'requested' AND seller_id = ANY ($1)`,
    [of.map(({ id }) => id)],
  )
  await staff.call(approvePayouts, { ids: rows.map(({ id }) => id) })
  const found = await pool().query<{ id: string }>('SELECT batch_id AS id FROM payouts WHERE id = $1', [rows[0]!.id])
  return found.rows[0]!.id
}

const sentTo = async (receiver: string) => {
  const items = await sendCall(listPayoutItems, {}, { base: open.shop.url })
  return items.filter((item) => item.receiver === receiver)
}
const mailsTo = async (email: string) => {
  const { rows } = await pool().query<{ subject: string; body_text: string }>(
    'SELECT subject, body_text FROM mails WHERE recipient = $1 ORDER BY created_at, id',
    [email],
  )
  return rows.map((row) => `${row.subject}: ${row.body_text}`)
}

async function unheard(batchId: string): Promise<string[]> {
  const { rows } = await pool().query<{ event_id: string }>(
    `SELECT event_id FROM webhook_events WHERE body LIKE '%' || $1 || '%' ORDER BY received_at, event_id`,
    [batchId],
  )
  return rows.map((row) => row.event_id)
}

const hear = (ids: string[]) =>
  ids.reduce((before, id) => before.then(() => processWebhook(open.shop.checkout, 'paypal', id)), Promise.resolve())

/** Handles the provider's events about a batch and its payout in the specified order. */
async function handleEvents(batchId: string, order: (ids: string[]) => string[] = (ids) => ids) {
  await until(async () => (await unheard(batchId)).length >= 2)
  await hear(order(await unheard(batchId)))
}

test('ignores a seller’s own purchases in the facts about the seller', async () => {
  const [ada, buyer, staff] = [await joinSeller(), await open.shop.join(), await joinStaff()]
  const product = await addProduct(open.shop, { price: '20.00' })
  await pool().query('UPDATE products SET seller_id = $1 WHERE id = $2', [ada.id, product.id])
  await buy(open.shop, buyer, product)
  const own = await buy(open.shop, ada, product)
  await pool().query('UPDATE earnings SET is_disputed = true WHERE order_id = $1', [own.id])
  await ada.call(requestPayout, {})
  await pool().query(
    `INSERT INTO payouts (seller_id, amount_cents, state, created_at, ended_at) VALUES ($1, 900, 'failed', '2026-01-02', '2026-01-03')`,
    [ada.id],
  )
  const queue = await staff.call(listQueuedPayouts, { queue: 'waiting', limit: 1000 })
  expect(queue.find(({ seller }) => seller === ada.email)!.about).toMatchObject({
    ...{ sales: 1, sold: '20.00', disputed: 0 },
    last: [{ amount: '9.00', state: 'failed', at: expect.stringMatching(/^2026-01-0/) as string }],
  })
})

test('pays a seller through the provider: request, approval, sending, result', async () => {
  const [ada, staff] = [await joinSeller(30_780), await joinStaff()]
  expect((await ada.call(getPayouts, {})).next).toMatchObject({
    kind: 'request',
    at: null,
    amount: '307.80',
    hold: null,
  })
  const asked = await ada.call(requestPayout, {})
  expect(asked).toMatchObject({ available: '0.00', next: { kind: 'open', amount: '307.80', hold: null } })
  expect(await ledgerOf(`seller:${ada.id}`)).toBe(0)
  const [waiting] = (await staff.call(listQueuedPayouts, { queue: 'waiting', limit: 1000 })).filter(
    ({ seller }) => seller === ada.email,
  )
  expect(waiting).toMatchObject({ amount: '307.80', hold: null, method: 'paypal', isOwn: false })
  expect(waiting!.about).toEqual({
    ...{ isFirst: true, sales: 0, sold: '0.00', refunded: '0.00', disputed: 0, last: [] },
    since: expect.any(String) as string,
  })
  expect(waiting!.to).toMatch(/^PayPal account se…@mail\.example$/)

  const batchId = await approve(staff, ada)
  expect(await stateOf(ada)).toEqual(['approved'])
  await sendBatch(ctx(), batchId)
  expect(await sentTo(ada.paypal)).toMatchObject([{ amount: '307.80', status: 'SUCCESS', senderItemId: waiting!.id }])
  await readBatch(ctx(), batchId)
  expect(await stateOf(ada)).toEqual(['sent'])
  expect(await ledgerOf(`payouts:${waiting!.id}`)).toBe(0)
  expect((await staff.call(listPayoutBatches, {})).find(({ id }) => id === batchId)).toMatchObject({
    ...{ state: 'over', payouts: 1, amount: '307.80', approvedBy: staff.email, problem: null },
  })
  expect((await mailsTo(ada.email)).at(-1)).toContain('Your payout of $307.80 is on its way')
  const admin = await open.shop.join({ isAdmin: true })
  expect(await admin.call(listAudit, { q: batchId })).toMatchObject([
    { act: 'payout.approved', actor: staff.email, details: { payouts: '1', amount: '$307.80' } },
  ])
})

test('notifies the webhooks of the seller and of the shop once about a sent payout', async () => {
  const [ada, staff, admin] = [await joinSeller(), await joinStaff(), await open.shop.join({ isAdmin: true })]
  const hook = { url: 'http://127.0.0.1:9/x', events: ['payout.sent' as const], isForShop: false }
  await ada.call(addHook, hook)
  await admin.call(addHook, { ...hook, isForShop: true })
  await ada.call(requestPayout, { amount: '30.00' })
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await readBatch(ctx(), batchId)
  await handleEvents(batchId)
  const { rows } = await pool().query<{ body: { type: string; data: object } }>(
    `SELECT body::jsonb AS body FROM hook_messages WHERE type = 'payout.sent' AND body LIKE '%30.00%' ORDER BY length(body)`,
  )
  expect(rows.map(({ body }) => body.data)).toMatchObject([
    { amount: '30.00', currency: 'USD', method: 'paypal' },
    { amount: '30.00', sellerId: ada.id },
  ])
})

test('rejects a payout above the balance, below the minimum or with an invalid amount', async () => {
  const ada = await joinSeller(10_000)
  const ask = (amount: string) => ada.call(requestPayout, { amount })
  await expect(ask('100.01')).rejects.toMatchObject({ status: 409, code: 'above_available' })
  await expect(ask('24.99')).rejects.toMatchObject({ status: 409, code: 'below_minimum' })
  for (const amount of ['-30', '1e3', '30.001', '']) await expect(ask(amount)).rejects.toMatchObject({ status: 400 })
  await ask('75.00')
  await expect(ada.call(requestPayout, {})).resolves.toMatchObject({ available: '0.00' })
  await expect(ada.call(requestPayout, {})).rejects.toMatchObject({ status: 409, code: 'below_minimum' })
})

test('never pays out more than the balance in 20 concurrent requests', async () => {
  const ada = await joinSeller(10_000)
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => ada.call(requestPayout, { amount: i % 2 ? '25.00' : '30.00' })),
  )
  const taken = (await ada.call(getPayouts, {})).payouts.reduce((sum, { amount }) => sum + Number(amount), 0)
  expect(taken).toBeGreaterThanOrEqual(75)
  expect(taken).toBeLessThanOrEqual(100)
  expect(await availableOf(ada)).toBe((100 - taken).toFixed(2))
  expect(asked.filter(({ status }) => status === 'fulfilled').length).toBe((await stateOf(ada)).length)
  for (const result of asked) if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 })
})

test.each([
  ['+unclaimed', 'returned', 'RETURNED', 'No PayPal account takes payments at your address.'],
  ['+failed', 'failed', 'FAILED', 'PayPal has limited the account with this address.'],
  ['+returned', 'returned', 'RETURNED', 'No PayPal account takes payments at your address.'],
])(
  'credits the seller once for a payout to %s@ and waits for new details before the next',
  async (tag, state, status, why) => {
    const [ada, staff] = [await joinSeller(20_000, tag), await joinStaff()]
    await ada.call(requestPayout, {})
    const batchId = await approve(staff, ada)
    await sendBatch(ctx(), batchId)
    await readBatch(ctx(), batchId)
    await handleEvents(batchId, (ids) => [...ids, ...ids.toReversed()])
    expect((await sentTo(ada.paypal)).map((item) => item.status)).toEqual([status])
    const { payouts, available, next, details } = await ada.call(getPayouts, {})
    expect(payouts).toMatchObject([{ state, amount: '200.00', why }])
    expect(available).toBe('200.00')
    expect(next.hold).toEqual({
      ...{ code: 'details_rejected', why },
      todo: { label: 'Correct your payout details', href: '/balance#details' },
    })
    expect(details!.rejection).toBe(why)
    await expect(ada.call(requestPayout, {})).rejects.toMatchObject({ status: 409, code: 'details_rejected' })
    const told = (await mailsTo(ada.email)).filter((mail) => mail.startsWith('Your payout of $200.00'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(why)

    await ada.call(savePayoutDetails, { details: { method: 'paypal', email: `good${sellers}@mail.example` } })
    expect((await ada.call(getPayouts, {})).next.hold).toMatchObject({ code: 'details_new', todo: null })
    await pool().query('UPDATE payout_details SET waits_until = now() WHERE user_id = $1', [ada.id])
    await ada.call(requestPayout, {})
    await sendBatch(ctx(), await approve(staff, ada))
    expect(await sentTo(`good${sellers}@mail.example`)).toHaveLength(1)
  },
)

test('does not reject the details when the shop’s own account causes the failure', async () => {
  const [ada, staff] = [await joinSeller(20_000, '+poor'), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await readBatch(ctx(), batchId)
  const { details, available, payouts } = await ada.call(getPayouts, {})
  expect({ rejection: details!.rejection, available }).toEqual({ rejection: null, available: '200.00' })
  expect(payouts[0]!.why).toContain('Our side failed')
})

test('pays a held payout when the provider releases it and credits the seller when it is returned later', async () => {
  const [ada, staff] = [await joinSeller(20_000, '+held'), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await readBatch(ctx(), batchId)
  expect(await ada.call(getPayouts, {})).toMatchObject({
    payouts: [{ state: 'processing', why: null }],
    next: { kind: 'open', hold: { code: 'review' } },
  })
  const [item] = await sentTo(ada.paypal)
  const move = (what: string) =>
    fetch(`${open.shop.url}/sandbox/paypal/test/payouts/${item!.id}/${what}`, { method: 'POST' })
  await move('release')
  await readBatch(ctx(), batchId)
  expect(await stateOf(ada)).toEqual(['sent'])
  await move('return')
  await until(async () => {
    await hear(await unheard(batchId))
    return (await stateOf(ada))[0] === 'returned'
  })
  expect(await availableOf(ada)).toBe('200.00')
  expect(await ledgerOf(`payouts:${item!.senderItemId}`)).toBe(0)
  // a late event changes nothing
  await settlePayout(ctx(), item!.senderItemId, { state: 'sent' })
  expect(await availableOf(ada)).toBe('200.00')
})

test('reads finished batches once a day and credits a payout reversed without an event', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await readBatch(ctx(), batchId)
  const [item] = await sentTo(ada.paypal)
  onTestFinished(() => provider(open.shop).setFaults({ rate: 0, kinds: [] }))
  await provider(open.shop).setFaults({ rate: 1, kinds: ['webhook_lost'] })
  await fetch(`${open.shop.url}/sandbox/paypal/test/payouts/${item!.id}/return`, { method: 'POST' })
  await reconcilePayouts(ctx(), { idleSeconds: 0 })
  expect(await stateOf(ada)).toEqual(['sent'])
  await pool().query(`UPDATE payout_batches SET looked_at = now() - interval '25 hours' WHERE id = $1`, [batchId])
  await reconcilePayouts(ctx(), { idleSeconds: 0 })
  expect(await stateOf(ada)).toEqual(['returned'])
  expect(await availableOf(ada)).toBe('300.00')
})

test.each(['lost', 'error', 'hang'])('pays once despite %s faults', async (kind) => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  onTestFinished(() => provider(open.shop).setFaults({ rate: 0, kinds: [] }))
  // fetch the access token before the faults start
  await provider(open.shop).setFaults({ rate: 1, kinds: [kind, 'webhook_lost'], latencyMs: 50 })
  await sendBatch(ctx(), batchId).catch(() => undefined)
  await sendBatch(ctx(), batchId).catch(() => undefined)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await pool().query(`UPDATE payout_batches SET looked_at = now() - interval '1 hour' WHERE id = $1`, [batchId])
  await reconcilePayouts(ctx(), { idleSeconds: 0 })
  await pool().query(`UPDATE payout_batches SET looked_at = now() - interval '1 hour' WHERE id = $1`, [batchId])
  await reconcilePayouts(ctx(), { idleSeconds: 0 })
  expect(await stateOf(ada)).toEqual(['sent'])
  expect(await sentTo(ada.paypal)).toHaveLength(1)
})

test('learns the provider’s batch id from an event after the reply was lost', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  onTestFinished(() => provider(open.shop).setFaults({ rate: 0, kinds: [] }))
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  await expect(sendBatch(ctx(), batchId)).rejects.toThrow('no answer')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(await stateOf(ada)).toEqual(['approved'])
  await handleEvents(batchId)
  expect(await stateOf(ada)).toEqual(['sent'])
  await sendBatch(ctx(), batchId)
  expect(await sentTo(ada.paypal)).toHaveLength(1)
})

test('does not resend a batch after the provider’s deduplication period', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await pool().query(`UPDATE payout_batches SET first_sent_at = now() - interval '26 days' WHERE id = $1`, [batchId])
  await sendBatch(ctx(), batchId)
  expect(await sentTo(ada.paypal)).toEqual([])
  const [batch] = (await staff.call(listPayoutBatches, {})).filter(({ id }) => id === batchId)
  expect(batch!.problem).toContain('Look the batch up')
  const payout = (await ada.call(getPayouts, {})).payouts[0]!
  await staff.call(markPayouts, { ids: [payout.id], as: 'failed', reason: 'Not at PayPal.' })
  expect(await availableOf(ada)).toBe('300.00')
  expect((await ada.call(getPayouts, {})).payouts[0]!.why).toBe('Not at PayPal.')
})

test('sends a batch once for two concurrent callers', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await Promise.all(Array.from({ length: 5 }, () => sendBatch(ctx(), batchId)))
  expect(await sentTo(ada.paypal)).toHaveLength(1)
})

test('returns payouts to the queue after a refused first request, but not after a refused repeat', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  const { main } = open.shop.checkout.providers
  const refused = { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' } as const
  const spy = vi.spyOn(main.payOut!, 'send').mockResolvedValue(refused)
  onTestFinished(() => spy.mockRestore())
  await sendBatch(ctx(), batchId)
  expect(spy.mock.calls[0]![0]).toMatchObject({ id: batchId, isFirst: true })
  expect(await stateOf(ada)).toEqual(['requested'])
  const [batch] = (await staff.call(listPayoutBatches, {})).filter(({ id }) => id === batchId)
  expect(batch).toMatchObject({ state: 'refused', problem: 'INSUFFICIENT_FUNDS' })
  const again = await approve(staff, ada)
  spy.mockResolvedValueOnce({ kind: 'unknown', isAway: false, why: 'no answer' })
  await sendBatch(ctx(), again)
  await sendBatch(ctx(), again)
  expect(spy.mock.calls.at(-1)![0]).toMatchObject({ id: again, isFirst: false })
})

test('ignores a reported payout with another amount', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await pool().query(
    `UPDATE sandbox.records SET body = (body::jsonb || '{"cents": 1}')::json WHERE kind = 'payout_item' AND body->>'senderBatchId' = $1`,
    [batchId],
  )
  await readBatch(ctx(), batchId)
  expect(await stateOf(ada)).toEqual(['processing'])
})

test('encrypts changed details, requires fresh proof and notifies both addresses', async () => {
  const ada = await joinSeller()
  await pool().query(`UPDATE sessions SET verified_at = 'epoch' WHERE user_id = $1`, [ada.id])
  const change = () => ada.call(savePayoutDetails, { details: BANK })
  await expect(change()).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
  await pool().query(`UPDATE sessions SET verified_at = now() WHERE user_id = $1`, [ada.id])
  const { details, next } = await change()
  expect(details).toMatchObject({ method: 'bank', label: 'account ending 6819', rejection: null })
  expect(Date.parse(details!.waitsUntil!) - Date.now()).toBeGreaterThan(23 * 3600_000)
  expect(next.hold).toMatchObject({ code: 'details_new' })
  for (const address of [ada.email, ada.paypal])
    expect((await mailsTo(address)).at(-1)).toContain('Your payout details have changed')
  expect((await mailsTo(ada.email)).join()).not.toContain('60161331926819')
  const { rows } = await pool().query('SELECT * FROM payout_details WHERE user_id = $1', [ada.id])
  expect(JSON.stringify(rows)).not.toContain('60161331926819')
  await expect(ada.call(requestPayout, {})).rejects.toMatchObject({ status: 409, code: 'details_new' })
  const wrong = { ...BANK, account: 'GB29 NWBK 6016 1331 9268 18' }
  await expect(ada.call(savePayoutDetails, { details: wrong })).rejects.toMatchObject({ status: 400 })
})

test('pays to the details at the moment of approval', async () => {
  const [ada, staff] = [await joinSeller(), await joinStaff()]
  await ada.call(requestPayout, {})
  await ada.call(savePayoutDetails, { details: { method: 'paypal', email: 'new-place@mail.example' } })
  await expect(approve(staff, ada)).rejects.toMatchObject({ status: 409, code: 'held' })
  await pool().query('UPDATE payout_details SET waits_until = now() WHERE user_id = $1', [ada.id])
  await sendBatch(ctx(), await approve(staff, ada))
  expect(await sentTo(ada.paypal)).toEqual([])
  expect(await sentTo('new-place@mail.example')).toHaveLength(1)
})

test('blocks payout requests and sending for a suspended seller', async () => {
  const [ada, staff, support] = [await joinSeller(), await joinStaff(), await open.shop.join({ role: 'support' })]
  await ada.call(requestPayout, { amount: '50.00' })
  await support.call(suspendSeller, { id: ada.id, reason: 'Three take-downs.', days: 7 })
  await expect(approve(staff, ada)).rejects.toMatchObject({ status: 409, code: 'held' })
  await expect(ada.call(requestPayout, {})).rejects.toMatchObject({ status: 409, code: 'suspended' })
  expect((await ada.call(getPayouts, {})).next.hold).toMatchObject({ code: 'suspended', todo: { label: 'Message us' } })
})

test('requests monthly payouts once a month and shows why a payout is held', async () => {
  const [ada, bob, cyd] = [await joinSeller(9000), await joinSeller(2000), await joinSeller(9000)]
  const people = [ada, bob, cyd]
  for (const person of people) await person.call(setPayoutSchedule, { schedule: 'monthly' })
  await requestMonthly(ctx())
  expect(await Promise.all(people.map(stateOf))).toEqual([[], [], []])
  const endMonth = () =>
    pool().query(`UPDATE payout_details SET monthly_at = monthly_at - interval '32 days' WHERE user_id = ANY ($1)`, [
      people.map(({ id }) => id),
    ])
  await endMonth()
  await cyd.call(savePayoutDetails, { details: { method: 'paypal', email: 'cyd@mail.example' } })
  await Promise.all([requestMonthly(ctx()), requestMonthly(ctx())])
  await requestMonthly(ctx())
  expect(await Promise.all(people.map(stateOf))).toEqual([['requested'], [], []])
  expect((await mailsTo(cyd.email)).filter((mail) => mail.includes('payout of $90.00 waits'))).toHaveLength(1)
  expect((await bob.call(getPayouts, {})).next).toMatchObject({ kind: 'scheduled', hold: { code: 'below_minimum' } })
  // the payout follows when its hold ends, not a month later
  await pool().query('UPDATE payout_details SET waits_until = now() WHERE user_id = $1', [cyd.id])
  await requestMonthly(ctx())
  expect(await stateOf(cyd)).toEqual(['requested'])
})

test('requests a failed scheduled payout again after the details are corrected', async () => {
  const [ada, staff] = [await joinSeller(9000, '+failed'), await joinStaff()]
  await ada.call(setPayoutSchedule, { schedule: 'monthly' })
  await pool().query(`UPDATE payout_details SET monthly_at = now() - interval '32 days' WHERE user_id = $1`, [ada.id])
  await requestMonthly(ctx())
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  await readBatch(ctx(), batchId)
  await requestMonthly(ctx())
  expect(await stateOf(ada)).toEqual(['failed'])
  await ada.call(savePayoutDetails, { details: { method: 'paypal', email: 'right@mail.example' } })
  await requestMonthly(ctx())
  expect(await stateOf(ada)).toEqual(['failed'])
  await pool().query('UPDATE payout_details SET waits_until = now() WHERE user_id = $1', [ada.id])
  await requestMonthly(ctx())
  expect((await stateOf(ada)).toSorted()).toEqual(['failed', 'requested'])
})

/** `holder` replaces the stored name and may contain letters that the form rejects. */
async function joinBankSeller(holder?: string) {
  const ada = await open.shop.join({ firstName: 'Ada' })
  await earn(open.shop, ada.id, 30_000)
  await ada.call(savePayoutDetails, { details: BANK })
  if (holder) {
    const sealed = ctx().seal({ ...BANK, holder }, ada.id)
    await pool().query('UPDATE payout_details SET sealed = $1 WHERE user_id = $2', [sealed, ada.id])
  }
  await passPayoutWait(open.shop, ada.id)
  await ada.call(requestPayout, {})
  return ada
}

test('exports a bank batch as files and audits the sent and returned marks of staff', async () => {
  const [ada, staff, admin] = [await joinBankSeller(), await joinStaff(), await open.shop.join({ isAdmin: true })]
  const batchId = await approve(staff, ada)
  const [payout] = (await ada.call(getPayouts, {})).payouts
  const read = (kind: 'csv' | 'xml', reader = staff) => fileOf(batchId, kind, reader)
  const csv = await read('csv')
  expect([csv.status, csv.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(await csv.text()).toContain(`${payout!.id},Ada Okafor,GB29NWBK60161331926819,NWBKGB2L,300.00,USD`)
  expect(await (await read('xml')).text()).toContain('<IBAN>GB29NWBK60161331926819</IBAN>')
  expect((await read('xml', ada)).status).toBe(403)
  const mark = (as: 'sent' | 'failed' | 'returned', more = {}) =>
    staff.call(markPayouts, { ids: [payout!.id], as, ...more })
  await expect(mark('failed')).rejects.toMatchObject({ status: 400 })
  await mark('sent')
  await expect(mark('sent')).rejects.toMatchObject({ status: 409, code: 'decided' })
  expect(await stateOf(ada)).toEqual(['sent'])
  expect(await ledgerOf('bank')).toBeLessThan(0)
  const returned = { reason: 'Unknown account number', isFinal: true }
  // the bank may have paid, so returning the money to the balance needs a second person
  expect(await mark('returned', returned)).toEqual({ marked: 0, waiting: 1 })
  await expect(mark('returned', returned)).rejects.toMatchObject({ status: 409, code: 'second_person' })
  expect(await availableOf(ada)).toBe('0.00')
  const [queued] = await admin.call(listQueuedPayouts, { queue: 'ended' })
  expect(queued!.id === payout!.id && queued!.first).toEqual({ act: 'returned', by: staff.email, isOwn: false })
  expect(await admin.call(markPayouts, { ids: [payout!.id], as: 'returned', ...returned })).toEqual({
    marked: 1,
    waiting: 0,
  })
  await expect(mark('returned', { reason: 'Again' })).rejects.toMatchObject({ status: 409 })
  expect(await availableOf(ada)).toBe('300.00')
  expect((await ada.call(getPayouts, {})).next.hold).toMatchObject({
    ...{ code: 'details_rejected', why: 'The bank refused your account: Unknown account number' },
  })
  const acts = async (id: string) => (await admin.call(listAudit, { q: id })).map(({ act }) => act)
  expect(await acts(payout!.id)).toEqual(['payout.returned', 'payout.asked', 'payout.sent'])
  expect(await acts(batchId)).toEqual(['payout.exported', 'payout.exported', 'payout.approved'])
})

const fileOf = (batchId: string, kind: 'csv' | 'xml', { cookie }: Person) =>
  fetch(`${open.shop.url}/api/admin/payouts/batches/${batchId}/file.${kind}`, { headers: { cookie } })

test('omits ended payouts from a file for the bank', async () => {
  const [ada, eve, staff] = [await joinBankSeller(), await joinBankSeller('Нина'), await joinStaff()]
  const batchId = await approve(staff, ada, eve)
  const idOf = async (person: Person) => (await person.call(getPayouts, {})).payouts[0]!.id
  const [first, second] = [await idOf(ada), await idOf(eve)]
  expect((await fileOf(batchId, 'xml', staff)).status).toBe(409)
  // the rejected file was not exported, so one person may decide
  const failed = { as: 'failed' as const, reason: 'The name is unreadable', isFinal: true }
  expect(await staff.call(markPayouts, { ids: [second], ...failed })).toEqual({ marked: 1, waiting: 0 })
  for (const kind of ['csv', 'xml'] as const) {
    const file = await fileOf(batchId, kind, staff)
    expect(file.status).toBe(200)
    const text = await file.text()
    expect([first, second].map((id) => text.includes(id.slice(0, 8)))).toEqual([true, false])
  }
  await staff.call(markPayouts, { ids: [first], as: 'sent' })
  expect(await (await fileOf(batchId, 'csv', staff)).json()).toMatchObject({ code: 'nothing_to_pay' })
})

test('requires a second person when staff mark a failure during an export', async () => {
  const [ada, staff] = [await joinBankSeller(), await joinStaff()]
  const batchId = await approve(staff, ada)
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  const exporting = await pool().connect()
  onTestFinished(() => exporting.release())
  await exporting.query('BEGIN')
  await exporting.query('UPDATE payout_batches SET exported_at = now() WHERE id = $1', [batchId])
  let isOver = false
  const marked = staff.call(markPayouts, { ids: [id], as: 'failed', reason: 'x' }).finally(() => (isOver = true))
  await until(async () => {
    const { rows } = await pool().query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return isOver || rows.length > 0
  })
  await exporting.query('COMMIT')
  expect(await marked).toEqual({ marked: 0, waiting: 1 })
  expect(await stateOf(ada)).toEqual(['approved'])
})

test('rejects decisions on own payouts, before the provider’s result and without the role', async () => {
  const [ada, staff, support] = [await joinSeller(), await joinStaff(), await open.shop.join({ role: 'support' })]
  await earn(open.shop, staff.id, 30_000)
  await staff.call(savePayoutDetails, { details: { method: 'paypal', email: 'staff@mail.example' } })
  await passPayoutWait(open.shop, staff.id)
  await staff.call(requestPayout, {})
  const own = (await staff.call(getPayouts, {})).payouts[0]!.id
  await expect(staff.call(approvePayouts, { ids: [own] })).rejects.toMatchObject({ status: 403, code: 'own_payout' })
  await expect(staff.call(markPayouts, { ids: [own], as: 'failed', reason: 'x' })).rejects.toMatchObject({
    status: 403,
  })
  await ada.call(requestPayout, {})
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  await expect(staff.call(markPayouts, { ids: [id], as: 'sent' })).rejects.toMatchObject({ code: 'not_approved' })
  const batchId = await approve(staff, ada)
  await sendBatch(ctx(), batchId)
  for (const as of ['sent', 'failed'] as const)
    await expect(staff.call(markPayouts, { ids: [id], as, reason: 'x' })).rejects.toMatchObject({
      code: 'provider_decides',
    })
  for (const person of [ada, support])
    await expect(person.call(listQueuedPayouts, { queue: 'waiting' })).rejects.toMatchObject({ status: 403 })
  await expect(
    staff.call(markPayouts, { ids: [crypto.randomUUID()], as: 'failed', reason: 'x' }),
  ).rejects.toMatchObject({ status: 404 })
})

test('requires a second member of staff above the seller’s limit, even for split payouts', async () => {
  const [ada, one, two] = [await joinSeller(150_000), await joinStaff(), await joinStaff()]
  await ada.call(requestPayout, { amount: '600.00' })
  await ada.call(requestPayout, { amount: '600.00' })
  const ids = (await ada.call(getPayouts, {})).payouts.map(({ id }) => id)
  expect(await one.call(approvePayouts, { ids })).toEqual({ approved: 0, waiting: 2, skipped: 0 })
  expect(await stateOf(ada)).toEqual(['requested', 'requested'])
  await expect(one.call(approvePayouts, { ids })).rejects.toMatchObject({ status: 409, code: 'second_person' })
  const waiting = (await one.call(listQueuedPayouts, { queue: 'waiting' })).filter(({ id }) => ids.includes(id))
  expect(waiting.map(({ first }) => first)).toEqual(
    Array.from({ length: 2 }, () => ({ act: 'approved', by: one.email, isOwn: true })),
  )
  expect(await two.call(approvePayouts, { ids })).toEqual({ approved: 2, waiting: 0, skipped: 0 })
  await ada.call(requestPayout, { amount: '100.00' })
  const third = (await ada.call(getPayouts, {})).payouts[0]!.id
  expect(await two.call(approvePayouts, { ids: [third] })).toMatchObject({ approved: 0, waiting: 1 })
})

test('delays payouts to first payout details like to changed ones', async () => {
  const ada = await open.shop.join()
  await earn(open.shop, ada.id, 5000)
  const { next } = await ada.call(savePayoutDetails, { details: BANK })
  expect(next.hold).toMatchObject({ code: 'details_new' })
  await expect(ada.call(requestPayout, {})).rejects.toMatchObject({ status: 409, code: 'details_new' })
})

test('approves a payout once for two members of staff', async () => {
  const [ada, one, two] = [await joinSeller(), await joinStaff(), await joinStaff()]
  await ada.call(requestPayout, {})
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  const results = await Promise.allSettled([one, two].map((staff) => staff.call(approvePayouts, { ids: [id] })))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('rejects ledger entries of a payout that do not match its state', async () => {
  const ada = await joinSeller()
  await ada.call(requestPayout, {})
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  const twice = open.shop.asOwner(`INSERT INTO ledger_entries (transfer_id, account, amount_cents)
    VALUES ('${id}', 'payouts:${id}', 30000), ('${id}', 'seller:${ada.id}', -30000)`)
  await expect(twice).rejects.toThrow('does not fit its state')
})

const detailsOf = async ({ id }: Person) =>
  (await pool().query('SELECT FROM payout_details WHERE user_id = $1', [id])).rowCount
async function erase({ id }: Person) {
  await pool().query(`UPDATE users SET erase_at = now() WHERE id = $1`, [id])
  await eraseDueAccounts(open.shop.database.db)
  const { rows } = await pool().query<{ erased: boolean }>(
    'SELECT erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
    [id],
  )
  return rows[0]!.erased
}

test('deletes the payout details of an erased seller without a balance', async () => {
  const ada = await joinSeller(0)
  expect(await erase(ada)).toBe(true)
  expect(await detailsOf(ada)).toBe(0)
})

test('pays an erased seller the whole balance, even below the minimum, then deletes the details', async () => {
  const [ada, staff] = [await joinSeller(1234), await joinStaff()]
  expect(await erase(ada)).toBe(true)
  expect(await detailsOf(ada)).toBe(1)
  await sendBatch(ctx(), await approve(staff, ada))
  expect(await sentTo(ada.paypal)).toMatchObject([{ amount: '12.34' }])
  await payErasedAccounts(open.shop.database.db)
  expect(await detailsOf(ada)).toBe(1)
  const { rows } = await pool().query<{ id: string }>('SELECT id FROM payouts WHERE seller_id = $1', [ada.id])
  await settlePayout(ctx(), rows[0]!.id, { state: 'sent' })
  await payErasedAccounts(open.shop.database.db)
  expect(await detailsOf(ada)).toBe(0)
})

test('delays an erasure while a payout is in progress', async () => {
  const ada = await joinSeller()
  await ada.call(requestPayout, {})
  expect(await ada.call(getLeaving, {})).toMatchObject({ hold: expect.stringContaining('$300.00 is under way') })
  await expect(ada.call(requestDeletion, {})).rejects.toMatchObject({ status: 409, code: 'money_under_way' })
  expect(await erase(ada)).toBe(false)
  const { id } = (await ada.call(getPayouts, {})).payouts[0]!
  await settlePayout(ctx(), id, { state: 'failed', cause: 'shop', reason: 'x' })
  expect(await erase(ada)).toBe(true)
})

test('shows the balance to the owner before deletion, on the page and in both mails', async () => {
  const ada = await joinSeller(5000)
  await give(open.shop, ada, 700)
  const { money } = await ada.call(getLeaving, {})
  expect(money.join()).toContain('$50.00 of your balance can be paid out')
  expect(money.join()).toContain('store credit of $7.00 ends')
  await ada.call(requestDeletion, {})
  const link = await mailedLink(open.shop, ada.email, 'Delete your account?')
  expect(await (await fetch(link)).text()).toContain('$50.00 of your balance')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(link, { method: 'POST', headers })).status).toBe(200)
  const told = (await mailsTo(ada.email)).filter((mail) =>
    /^(Delete your account\?|Your account will be deleted)/.test(mail),
  )
  expect(told).toHaveLength(2)
  for (const mail of told) for (const line of money) expect(mail).toContain(line)
})

test('reports debts to erased accounts without a payout in progress in the hourly check', async () => {
  const ada = await open.shop.join()
  await earn(open.shop, ada.id, 900)
  expect(await erase(ada)).toBe(true)
  expect(await findViolations(pool(), ['ERASED'])).toEqual([
    { rule: 'ERASED', violation: expect.stringContaining(`900 cents to the erased account ${ada.id}`) },
  ])
})
