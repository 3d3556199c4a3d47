import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { eraseDueAccounts } from '../account/data/erase.server.ts'
import { capturePayment, placeOrder, startPayment } from '../checkout/checkout.contract.ts'
import { reconcile } from '../checkout/reconcile.server.ts'
import { startJobs } from '../kit/jobs.server.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { listWallets, removeWallet } from './wallets.contract.ts'
import { hasWallet, revokeWallet, walletJobs } from './wallets.server.ts'
import { saveWallet } from './wallets.store.server.ts'

// Saved wallets: from the buyer's consent until their removal.

const open = openShopForTests({ BONUS_PERCENT: '0' })

/** Creates a buyer who paid once and saved the wallet. */
async function keeper() {
  const { database, checkout } = open.shop
  const buyer = await open.shop.join()
  const product = await addProduct(open.shop)
  await buy(open.shop, buyer, product)
  const [shown] = await buyer.call(listWallets, {})
  const row = () => database.db.selectFrom('wallets').selectAll().where('id', '=', shown!.id).executeTakeFirstOrThrow()
  const { vaultId } = await row()
  const isKnownThere = async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM sandbox.records WHERE kind = 'payment_token' AND id = $1`,
      [vaultId],
    )
    return rowCount === 1
  }
  const work = () => revokeWallet(database.db, checkout.providers, shown!.id)
  return { buyer, product, shown: shown!, vaultId, row, isKnownThere, work }
}

const countJobs = async (id: string) => {
  const { rows } = await open.shop.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker._private_jobs WHERE payload->>'id' = $1 AND key LIKE 'revoke_wallet:%'`,
    [id],
  )
  return rows[0]!.count
}

const quickBuy = (buyer: Person, product: { id: string; price: string }) =>
  buyer.call(placeOrder, {
    items: [{ productId: product.id, quantity: 1, price: product.price }],
    total: product.price,
    paymentMethod: 'paypal',
    paymentId: crypto.randomUUID(),
    source: 'product',
  })

test('shows a saved wallet only to its owner', async () => {
  const { buyer, shown } = await keeper()
  expect(shown).toMatchObject({ label: 'buyer@sandbox.example', keptSince: expect.any(String) })
  const other = await open.shop.join()
  expect(await other.call(listWallets, {})).toEqual([])
  await expect(other.call(removeWallet, { id: shown.id })).rejects.toMatchObject({ status: 404 })
  await expect(open.shop.call(removeWallet, { id: shown.id })).rejects.toMatchObject({ status: 401 })
  expect(await buyer.call(listWallets, {})).toEqual([shown])
})

/** Erases the references of wallets that were revoked two hours ago. */
async function eraseReferences() {
  const { database, checkout } = open.shop
  await database.pool.query(`UPDATE wallets SET revoked_at = revoked_at - interval '2 hours'`)
  const job = walletJobs(database.db, checkout.providers).find(({ name }) => name === 'erase_wallets')
  await job?.run({})
}

test('revokes a removed wallet at the provider and later erases its reference', async () => {
  const { buyer, product, shown, row, isKnownThere, work, vaultId } = await keeper()
  expect(await buyer.call(removeWallet, { id: shown.id })).toEqual([])
  expect(await buyer.call(listWallets, {})).toEqual([])
  expect((await quickBuy(buyer, product)).status).toBe('pending')
  expect(await countJobs(shown.id)).toBe(1)
  // the label disappears at once; the reference stays until the revocation
  expect(await row()).toMatchObject({ label: '', vaultId, revokedAt: null })
  expect(await isKnownThere()).toBe(true)
  await work()
  expect(await isKnownThere()).toBe(false)
  expect(await row()).toMatchObject({ vaultId, revokedAt: expect.any(Date) })
  await work()
  await eraseReferences()
  expect((await row()).vaultId).toBe(`erased-${shown.id}`)
  await expect(buyer.call(removeWallet, { id: shown.id })).rejects.toMatchObject({ status: 404 })
})

test('does not save a revoked wallet again when the provider answered before the revocation', async () => {
  const { buyer, shown, vaultId, work } = await keeper()
  const { db } = open.shop.database
  await buyer.call(removeWallet, { id: shown.id })
  await work()
  await saveWallet(db, { userId: buyer.id, provider: 'paypal', mode: 'sandbox', vaultId, label: shown.label })
  expect(await hasWallet(db, buyer.id, 'paypal', vaultId)).toBe(false)
  expect(await buyer.call(listWallets, {})).toEqual([])
})

test.each(['error', 'lost'])(
  'retries a failed revocation (%s) and accepts that the provider does not know the wallet',
  async (fault) => {
    const { buyer, shown, row, isKnownThere, work, vaultId } = await keeper()
    await buyer.call(removeWallet, { id: shown.id })
    await provider(open.shop).setFaults({ rate: 1, kinds: [fault] })
    await expect(work()).rejects.toThrow()
    await provider(open.shop).setFaults({ rate: 0, kinds: [] })
    expect(await row()).toMatchObject({ vaultId, revokedAt: null })
    // the lost reply hid a success: the retry gets 404, which also counts as success
    expect(await isKnownThere()).toBe(fault === 'error')
    await work()
    expect(await isKnownThere()).toBe(false)
    expect((await row()).revokedAt).not.toBeNull()
  },
)

test('completes an unanswered charge before revoking the wallet', async () => {
  const { buyer, product, shown, work, isKnownThere } = await keeper()
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await quickBuy(buyer, product)).status).toBe('pending')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await buyer.call(removeWallet, { id: shown.id })
  await expect(work()).rejects.toThrow('under way')
  expect(await isKnownThere()).toBe(true)
})

test('does not charge a wallet that was removed before the charge', async () => {
  const { buyer, product, shown } = await keeper()
  const { pool } = open.shop.database
  const others = (await provider(open.shop).captures()).length
  const holder = await pool.connect()
  try {
    await holder.query('BEGIN; LOCK TABLE payments IN EXCLUSIVE MODE')
    const bought = quickBuy(buyer, product)
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'payments'::regclass`
    await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1)
    expect(await buyer.call(removeWallet, { id: shown.id })).toEqual([])
    await holder.query('COMMIT')
    expect((await bought).status).toBe('pending')
  } finally {
    holder.release(true)
  }
  expect(await provider(open.shop).captures()).toHaveLength(others)
})

/** Creates an unanswered Quick Buy with an expired lease and a removed wallet. */
async function removedWhileAsked(fault: 'lost' | 'error') {
  const { buyer, product, shown, work } = await keeper()
  const others = (await provider(open.shop).captures()).length
  await provider(open.shop).setFaults({ rate: 1, kinds: [fault] })
  const { id: orderId } = await quickBuy(buyer, product)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await buyer.call(removeWallet, { id: shown.id })
  const look = async (minutes: number) => {
    await open.shop.database.pool.query(
      `UPDATE payments SET lease_until = now() - interval '1 second', updated_at = now() - interval '1 hour',
         created_at = now() - make_interval(mins => $2) WHERE order_id = $1`,
      [orderId, minutes],
    )
    await reconcile(open.shop.checkout)
    return (await buyer.call(getOrder, { id: orderId })).status
  }
  const countCaptures = async () => (await provider(open.shop).captures()).length - others
  return { buyer, product, orderId, work, look, countCaptures }
}

test('polls an unanswered charge after its wallet was removed', async () => {
  const { look, countCaptures } = await removedWhileAsked('lost')
  expect(await look(1)).toBe('completed')
  expect(await countCaptures()).toBe(1)
})

test('does not resend a charge after its wallet was removed', async () => {
  const { buyer, product, orderId, work, look, countCaptures } = await removedWhileAsked('error')
  expect(await look(1)).toBe('pending')
  expect(await look(16)).toBe('pending')
  expect(await countCaptures()).toBe(0)
  await work()
  const terms = { amount: product.price, currency: 'USD', intent: 'capture', orderId } as const
  const { id } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
})

test('revokes the wallets of an erased account after an outage and a restart', async () => {
  const { buyer, shown, row, isKnownThere } = await keeper()
  const { db, pool } = open.shop.database
  await pool.query("UPDATE users SET erase_at = now() - interval '1 day' WHERE id = $1", [buyer.id])
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  await eraseDueAccounts(db)
  expect(await row()).toMatchObject({ label: '', revokedAt: null })
  const { database, checkout, databaseUrl: url } = open.shop
  const startWorker = () => startJobs({ url, database, jobs: walletJobs(db, checkout.providers) })
  const first = await startWorker()
  const attempts = `SELECT attempts, locked_at FROM graphile_worker._private_jobs WHERE key = 'revoke_wallet:' || $1`
  await expect
    .poll(async () => (await pool.query(attempts, [shown.id])).rows)
    .toEqual([{ attempts: 1, locked_at: null }])
  await first.stop()
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  // a new worker has only the data in the database; make the job due for it
  await pool.query('UPDATE graphile_worker._private_jobs SET run_at = now()')
  const second = await startWorker()
  await expect.poll(async () => (await row()).revokedAt, { timeout: 15_000 }).not.toBeNull()
  await second.stop()
  expect(await isKnownThere()).toBe(false)
})

test('revokes a live wallet only at the live provider', async () => {
  const { db } = open.shop.database
  const { providers } = open.shop.checkout
  const { id: userId } = await open.shop.join()
  const keep = async (mode: 'live' | 'sandbox') => {
    const kept = { userId, provider: 'paypal', mode, vaultId: crypto.randomUUID(), label: '', removedAt: new Date() }
    return (await db.insertInto('wallets').values(kept).returning('id').executeTakeFirstOrThrow()).id
  }
  await expect(revokeWallet(db, providers, await keep('live'))).rejects.toThrow('live provider')
  const asked: string[] = []
  const forget = async (token: string) => void asked.push(token)
  const { main } = providers
  const live = { named: () => ({ ...main, mode: 'live' as const, saved: { ...main.saved!, forget } }) }
  const rehearsed = await keep('sandbox')
  await revokeWallet(db, live, rehearsed)
  expect(asked).toEqual([])
  const { revokedAt } = await db
    .selectFrom('wallets')
    .select('revokedAt')
    .where('id', '=', rehearsed)
    .executeTakeFirstOrThrow()
  expect(revokedAt).not.toBeNull()
})

test('revokes other wallets although some revocations always fail', async () => {
  const { database, checkout } = open.shop
  const { pool, db } = database
  const { id: userId } = await open.shop.join()
  const keep = (mode: string, count: number, age: string) =>
    pool.query(
      `INSERT INTO wallets (user_id, provider, mode, vault_id, label, removed_at)
       SELECT $1, 'paypal', $2, gen_random_uuid(), '', now() - $4::interval FROM generate_series(1, $3)`,
      [userId, mode, count, age],
    )
  await keep('live', 100, '3 hours')
  await keep('sandbox', 101, '2 hours')
  const takeUp = walletJobs(db, checkout.providers).find(({ name }) => name === 'revoke_wallets')!
  const askedFor = async (mode: string) => {
    const { rowCount } = await pool.query(
      `SELECT FROM wallets w JOIN graphile_worker._private_jobs j ON j.key = 'revoke_wallet:' || w.id
       WHERE w.user_id = $1 AND w.mode = $2`,
      [userId, mode],
    )
    return rowCount
  }
  for (const count of [100, 101]) {
    await takeUp.run({})
    expect(await askedFor('sandbox')).toBe(count)
  }
  expect(await askedFor('live')).toBe(0)
})
