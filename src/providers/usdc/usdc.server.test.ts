// Long because each state of a transfer is tested on a real node.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../app/settings.server.ts'
import { CONFIRMATIONS, hasAnvil } from '../../../test/chain/chain.ts'
import { openUsdcShop, usdc, type UsdcOrder, type UsdcShop } from '../../../test/chain/usdcShop.ts'
import { addProduct } from '../../../test/goods.ts'
import { cancelOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { refundOrder } from '../../aftersale/refunds/refund.server.ts'
import { getCredit } from '../../payments/credit.contract.ts'
import { paymentRef } from '../../../test/payment.ts'
import { listIntegrations } from '../integrations.contract.ts'
import { findViolations, INVARIANTS } from '../../audit/faults.server.ts'
import { reconcileDay } from '../../audit/reports/reconcile.server.ts'
import { openChain } from './chain.server.ts'
import { checkUsdc } from './guide.contract.ts'
import { scan } from './scan.server.ts'
import { checkChain } from './usdc.check.server.ts'
import { giveRefundAddress, listExceptions, markSent, settleLate, writeOffLoss } from './transfers.contract.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe.skipIf(!hasAnvil)('USDC on a local chain', () => {
  let stage: UsdcShop
  beforeAll(async () => {
    stage = await openUsdcShop()
  })
  afterAll(async () => {
    // the ledger invariants hold after all tests
    expect(await findViolations(stage.shop.database.pool, INVARIANTS)).toEqual([])
    await stage?.close()
  })

  const confirm = async () => {
    await stage.chain.mine(CONFIRMATIONS)
    await stage.look()
  }
  const provider = () => stage.shop.checkout.providers.main

  describe('address', () => {
    test('requests one address for a payment', async () => {
      const [one, two] = [await stage.order(), await stage.order()]
      expect(one.next).toEqual({
        kind: 'transfer',
        address: one.address,
        amount: '10.00',
        expiresAt: expect.stringMatching(/Z$/),
      })
      const again = await one.buyer.call(startPayment, {
        ...{ amount: '10.00', currency: 'USD', intent: 'capture', orderId: one.orderId },
      })
      expect(again.id).toBe(one.address)
      expect(two.address).not.toBe(one.address)
    })

    test('derives the next address of the operator’s wallet', async () => {
      const { address, paymentId } = await stage.order()
      const row = await stage.shop.database.db
        .selectFrom('usdcAddresses')
        .select(['address', 'derivationIndex', 'units'])
        .where('paymentId', '=', paymentId)
        .executeTakeFirstOrThrow()
      expect(row).toEqual({ address, derivationIndex: row.derivationIndex, units: 10_000_000 })
      expect(stage.context.wallet.addressAt(row.derivationIndex)).toBe(address)
    })

    test('reuses an address of the same member only, an hour after the unpaid order ended', async () => {
      const first = await stage.order()
      await first.buyer.call(cancelOrder, { id: first.orderId })
      const soon = await stage.order('10.00', first.buyer)
      expect(soon.address).not.toBe(first.address)
      const age = async (paymentId: string) => {
        await stage.shop
          .asOwner(`UPDATE usdc_addresses SET expires_at = now() - interval '2 hours' WHERE payment_id = '${paymentId}';
          ALTER TABLE orders DISABLE TRIGGER USER;
          UPDATE orders SET updated_at = now() - interval '2 hours' WHERE id = (SELECT order_id FROM payments WHERE id = '${paymentId}');
          ALTER TABLE orders ENABLE TRIGGER USER`)
      }
      await age(first.paymentId)
      expect((await stage.order()).address).not.toBe(first.address)
      // the reconciler first updates the status of the ended payment
      await stage.look()
      const again = await stage.order('12.00', first.buyer)
      expect(again.address).toBe(first.address)
      await again.send(12)
      await confirm()
      expect([await again.status(), await first.status()]).toEqual(['completed', 'failed'])
      // an address that received money is never reused
      await age(again.paymentId)
      expect((await stage.order('10.00', first.buyer)).address).not.toBe(first.address)
    })

    test('rejects a member who left 20 addresses unpaid within a day', async () => {
      const buyer = await stage.shop.join()
      const unpaid: UsdcOrder[] = []
      for (let n = 0; n < 20; n++) unpaid.push(await stage.order('10.00', buyer))
      await expect(stage.order('10.00', buyer)).rejects.toMatchObject({
        ...{ status: 429, code: 'too_many_addresses' },
      })
      await unpaid[0]!.send(10)
      await confirm()
      expect((await stage.order('10.00', buyer)).address).toMatch(/^0x/)
    })

    test('earns no first-purchase bonus, because a transfer does not show who pays', async () => {
      const own = await openUsdcShop({ BONUS_PERCENT: '15' })
      const order = await own.order()
      const credit = () => order.buyer.call(getCredit, {})
      expect((await credit()).bonus).toMatchObject({ percent: 15, anonymousMethods: ['usdc'] })
      await order.send(10)
      await own.chain.mine(CONFIRMATIONS)
      await own.look()
      expect(await order.status()).toBe('completed')
      expect(await credit()).toMatchObject({ balance: '0.00', bonus: null })
      await own.close()
    })

    test('finds a transfer among 70,000 watched addresses', async () => {
      const order = await stage.order()
      await stage.shop.asOwner(`ALTER TABLE usdc_addresses DROP CONSTRAINT usdc_addresses_payment_id_fkey;
        INSERT INTO usdc_addresses (address, derivation_index, payment_id, chain_id, token, units, confirmations, expires_at)
        SELECT '0x' || lpad(to_hex(n + 65536), 40, '0'), 2000000 + n, gen_random_uuid(), chain_id, token, 1, 1, now()
        FROM usdc_addresses, generate_series(1, 70000) n WHERE payment_id = '${order.paymentId}'`)
      try {
        await order.send(10)
        await confirm()
        expect(await order.status()).toBe('completed')
      } finally {
        await stage.shop.asOwner(`DELETE FROM usdc_addresses WHERE derivation_index > 2000000;
          ALTER TABLE usdc_addresses ADD CONSTRAINT usdc_addresses_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments ON DELETE RESTRICT`)
      }
    }, 240_000)

    test.each(['away', 'chain', 'ahead'] as const)(
      'assigns no address while the shop cannot see transfers: %s',
      async (lie) => {
        stage.chain.lie(lie)
        // the chain id is checked once per start
        const own = lie === 'chain' ? await openUsdcShop() : stage
        own.chain.lie(lie)
        await expect(own.order()).rejects.toMatchObject({ status: 503, code: 'provider_away' })
        own.chain.lie(null)
        stage.chain.lie(null)
        if (own !== stage) await own.close()
      },
    )
  })

  describe('transfer', () => {
    test('completes the order once it is confirmed', async () => {
      const order = await stage.order()
      expect(await order.transfer()).toMatchObject({
        state: 'waiting',
        amount: '10.00',
        received: '0.00',
        rest: '10.00',
      })
      const hash = await order.send(10)
      await stage.look()
      expect(await order.status()).toBe('pending')
      expect(await order.transfer()).toMatchObject({
        ...{ state: 'seen', received: '10.00', rest: '0.00', confirmations: 1, confirmationsNeeded: CONFIRMATIONS },
        transactions: [{ hash, amount: '10.00', isConfirmed: false }],
      })
      await confirm()
      expect(await order.status()).toBe('completed')
      expect(await order.transfer()).toMatchObject({ state: 'paid', confirmations: CONFIRMATIONS, exceptions: [] })
      expect(await order.ledger()).toEqual({ fees: -50, 'provider:usdc:sandbox': 1000, seller: -950 })
    })

    test('keeps the order open past its time to pay while confirmations are missing', async () => {
      const order = await stage.order()
      await order.send(10)
      await stage.look()
      await order.expire()
      expect(await order.status()).toBe('pending')
      await expect(order.buyer.call(cancelOrder, { id: order.orderId })).rejects.toMatchObject({ status: 409 })
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('adds up two transfers to one payment', async () => {
      const order = await stage.order('62.55')
      await order.send(60)
      await confirm()
      expect(await order.status()).toBe('pending')
      expect(await order.transfer()).toMatchObject({ state: 'partial', received: '60.00', rest: '2.55' })
      expect((await order.transfer()).uri).toContain('uint256=2550000')
      await order.send(2.55)
      await confirm()
      expect(await order.status()).toBe('completed')
      expect((await order.ledger())['provider:usdc:sandbox']).toBe(6255)
    })

    test('does not complete an order that is paid one unit too little', async () => {
      const order = await stage.order()
      await stage.chain.send(order.address, usdc(10) - 1)
      await confirm()
      expect([await order.status(), (await order.transfer()).state]).toEqual(['pending', 'partial'])
      await stage.chain.send(order.address, 1)
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('ignores another token', async () => {
      const order = await stage.order()
      await stage.chain.send(order.address, usdc(10), stage.chain.otherToken)
      await confirm()
      expect(await stage.chain.balanceOf(order.address, stage.chain.otherToken)).toBe(usdc(10))
      expect(await order.transfer()).toMatchObject({ state: 'waiting', received: '0.00', transactions: [] })
    })

    test('completes the order for a transfer mined in time but scanned after expiry', async () => {
      const order = await stage.order()
      const { pool } = stage.shop.database
      await order.send(10)
      // only the shop's order expired; the block came before the end of the address
      await pool.query(`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = $1`, [order.orderId])
      await pool.query(`UPDATE usdc_addresses SET expires_at = now() + interval '1 hour' WHERE payment_id = $1`, [
        order.paymentId,
      ])
      await expireOnly(order)
      expect(await order.status()).toBe('failed')
      await confirm()
      expect([await order.status(), await order.exceptions()]).toEqual(['completed', []])
    })
  })

  async function expireOnly({ orderId }: UsdcOrder) {
    const { expireOrder } = await import('../../checkout/reconcile.server.ts')
    await expireOrder(stage.shop.checkout, orderId)
  }

  describe('reorganisation', () => {
    test('removes an unconfirmed transfer, and the order waits again', async () => {
      const order = await stage.order()
      const undo = await stage.chain.fork()
      await order.send(10)
      await stage.look()
      expect((await order.transfer()).state).toBe('seen')
      await undo()
      await stage.look()
      expect(await order.transfer()).toMatchObject({ state: 'waiting', received: '0.00', transactions: [] })
      await order.reconcile()
      expect(await order.status()).toBe('pending')
      await order.send(10)
      await confirm()
      expect(await order.status()).toBe('completed')
      expect((await order.ledger())['provider:usdc:sandbox']).toBe(1000)
    })

    test('confirms a transfer anew after it moved to another block', async () => {
      const order = await stage.order()
      const undo = await stage.chain.fork()
      await order.send(10)
      await stage.chain.mine(CONFIRMATIONS - 2)
      await stage.look()
      await undo()
      await order.send(10)
      await stage.look()
      expect(await order.transfer()).toMatchObject({ state: 'seen', received: '10.00' })
      expect(await order.status()).toBe('pending')
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('shows a loss to staff after the delivery, until the money returns', async () => {
      const order = await stage.order()
      const undo = await stage.chain.fork()
      await order.send(10)
      await confirm()
      expect(await order.status()).toBe('completed')
      await undo()
      await confirm()
      expect(await order.exceptions()).toMatchObject([{ kind: 'reorganised', amountCents: 1000, state: 'open' }])
      expect(await order.ledger()).toEqual({ fees: -50, seller: -950, 'usdc:unclaimed': 1000 })
      await order.send(10)
      await confirm()
      expect(await order.exceptions()).toMatchObject([{ state: 'done', resolution: 'recovered' }])
      expect(await order.ledger()).toEqual({ fees: -50, 'provider:usdc:sandbox': 1000, seller: -950 })
    })

    test('leaves nothing unclaimed after staff write off a loss', async () => {
      const order = await stage.order()
      const undo = await stage.chain.fork()
      await order.send(10)
      await confirm()
      await undo()
      await confirm()
      const staff = await stage.shop.join({ role: 'finance' })
      const { id } = (await order.exceptions())[0]!
      await expect(staff.call(settleLate, { id })).rejects.toMatchObject({ code: 'not_late' })
      await staff.call(writeOffLoss, { id })
      await stage.look()
      expect(await order.ledger()).toEqual({ fees: -50, seller: -950, 'usdc:losses': 1000 })
      expect(await order.exceptions()).toMatchObject([{ state: 'done', resolution: 'written_off' }])
      // staff cannot refund money that a reorganisation removed
      await refundOrder(stage.shop.checkout, order.orderId, 'asked for', 400)
      await stage.look()
      const refunds = stage.shop.database.db.selectFrom('refunds').select(['status', 'refusal'])
      expect(await refunds.where('paymentId', '=', order.paymentId).execute()).toEqual([
        { status: 'failed', refusal: 'REORGANISED' },
      ])
      // regained money after a write-off belongs to the shop, not to the buyer
      await order.send(10)
      await confirm()
      expect(await order.ledger()).toEqual({ fees: -50, 'provider:usdc:sandbox': 1000, seller: -950 })
      expect((await order.exceptions()).length).toBe(1)
    })
  })

  describe('disagreement of nodes', () => {
    test.each(['ahead', 'block', 'hidden'] as const)(
      'stops the scan, credits nothing and alerts staff: %s',
      async (lie) => {
        const order = await stage.order()
        await order.send(10)
        await stage.chain.mine(CONFIRMATIONS * 2)
        stage.chain.lie(lie)
        await stage.look()
        expect([await order.status(), (await order.transfer()).received]).toEqual(['pending', '0.00'])
        const staff = await stage.shop.join({ role: 'finance' })
        const { trouble } = await staff.call(listExceptions, { queue: 'open' })
        expect(trouble?.why).toMatch(/127\.0\.0\.1/)
        expect(await provider().probe()).not.toBe('ready')
        stage.chain.lie(null)
        await stage.look()
        expect([await order.status(), (await staff.call(listExceptions, { queue: 'open' })).trouble]).toEqual([
          'completed',
          null,
        ])
      },
    )

    test('raises no alert when it lasts a moment, and the scan continues', async () => {
      const order = await stage.order()
      await order.send(10)
      stage.chain.lie('away')
      await stage.look()
      const staff = await stage.shop.join({ role: 'finance' })
      expect((await staff.call(listExceptions, { queue: 'open' })).trouble).toBeNull()
      stage.chain.lie(null)
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('alerts staff after a minute, even if one node is only away', async () => {
      stage.chain.lie('away')
      await stage.look()
      await stage.shop.database.pool.query(`UPDATE usdc_cursors SET trouble_at = now() - interval '2 minutes'`)
      await stage.look()
      const staff = await stage.shop.join({ role: 'finance' })
      expect((await staff.call(listExceptions, { queue: 'open' })).trouble?.why).toContain('gives no answer')
      stage.chain.lie(null)
      await stage.look()
    })
  })

  describe('cursor', () => {
    const cursor = () =>
      stage.shop.database.db.selectFrom('usdcCursors').select(['blockNumber', 'version']).executeTakeFirstOrThrow()

    test('does not move when the process dies between reading and writing', async () => {
      const order = await stage.order()
      await order.send(10)
      const before = await cursor()
      const die = async () => {
        throw new Error('killed')
      }
      await expect(scan(stage.context, { isForced: true, beforeWrite: die })).rejects.toThrow('killed')
      expect([await cursor(), (await order.transfer()).received]).toEqual([before, '0.00'])
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('does not move when the rows cannot be written', async () => {
      const order = await stage.order()
      await order.send(10)
      const before = await cursor()
      await stage.shop.asOwner(`ALTER TABLE usdc_transfers ADD CONSTRAINT broken CHECK (units < 0) NOT VALID`)
      await expect(scan(stage.context, { isForced: true })).rejects.toThrow('broken')
      expect(await cursor()).toEqual(before)
      await stage.shop.asOwner(`ALTER TABLE usdc_transfers DROP CONSTRAINT broken`)
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('moves once for two concurrent scans', async () => {
      const order = await stage.order()
      await order.send(10)
      const inner = () => scan(stage.context, { isForced: true }).then(() => undefined)
      expect(await scan(stage.context, { isForced: true, beforeWrite: inner })).toBe('outrun')
      expect((await order.transfer()).received).toBe('10.00')
      await confirm()
    })

    test('moves with any number of confirmations, even if a re-read exceeds one request', async () => {
      await stage.look()
      await stage.chain.mine(135)
      const { chain, place } = stage.context
      const terms = { ...place, confirmations: 20, blocksAtOnce: 60 }
      const many = { ...stage.context, chain: openChain(chain.nodes, terms), confirmations: 20 }
      const before = await cursor()
      expect(await scan(many, { isForced: true })).toBe('scanned')
      expect((await cursor()).blockNumber).toBeGreaterThan(before.blockNumber + 40)
      for (let i = 0; i < 3; i++) await scan(many, { isForced: true })
      expect((await cursor()).blockNumber).toBe(before.blockNumber + 135)
    })

    test('is leased to one node at a time', async () => {
      await stage.order()
      const results: string[] = []
      const second = async () => void results.push(await scan(stage.context))
      results.push(await scan(stage.context, { beforeWrite: second }))
      expect(results).toEqual(['idle', 'scanned'])
    })
  })

  describe('exception', () => {
    const finance = () => stage.shop.join({ role: 'finance' })
    /** Sends money from a wallet of staff and enters the transaction. */
    async function giveBack(order: UsdcOrder, cents: number) {
      const staff = await finance()
      const open = (await order.exceptions()).find(({ state }) => state === 'open')!
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      const txHash = await stage.chain.send(WALLET, cents * 10_000)
      await staff.call(markSent, { id: open.id, txHash })
      await confirm()
      return (await order.exceptions()).find(({ id }) => id === open.id)!
    }

    test('completes the order and returns the rest when too much money arrives', async () => {
      const order = await stage.order()
      await order.send(13.005)
      await confirm()
      expect(await order.status()).toBe('completed')
      expect(await order.exceptions()).toMatchObject([{ kind: 'overpaid', amountCents: 300, state: 'open' }])
      expect(await order.ledger()).toEqual({
        ...{ fees: -50, 'provider:usdc:sandbox': 1300, seller: -950, 'usdc:unclaimed': -300 },
      })
      expect(await giveBack(order, 300)).toMatchObject({ state: 'done', resolution: 'returned' })
      expect(await order.ledger()).toEqual({ fees: -50, 'provider:usdc:sandbox': 1000, seller: -950 })
    })

    test('returns too little money after the order expired', async () => {
      const order = await stage.order()
      await order.send(6)
      await stage.look()
      await order.expire()
      await confirm()
      expect(await order.status()).toBe('failed')
      expect(await order.transfer()).toMatchObject({
        state: 'expired',
        exceptions: [{ kind: 'underpaid', amount: '6.00', state: 'open', refundAddress: null }],
      })
      await giveBack(order, 600)
      expect(await order.ledger()).toEqual({})
    })

    test('completes the order for late money when staff accept it', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      expect(await order.status()).toBe('failed')
      const [late] = await order.exceptions()
      expect(late).toMatchObject({ kind: 'late', amountCents: 1000 })
      const staff = await finance()
      await staff.call(settleLate, { id: late!.id })
      await expect(staff.call(settleLate, { id: late!.id })).rejects.toMatchObject({ status: 409, code: 'decided' })
      await stage.look()
      expect(await order.status()).toBe('completed')
      expect(await order.exceptions()).toMatchObject([{ state: 'done', resolution: 'settled' }])
      expect(await order.ledger()).toEqual({ fees: -50, 'provider:usdc:sandbox': 1000, seller: -950 })
    })

    test('treats money for a canceled order as late', async () => {
      const order = await stage.order()
      await order.buyer.call(cancelOrder, { id: order.orderId })
      await order.send(10)
      await confirm()
      expect([await order.status(), await order.exceptions()]).toMatchObject(['failed', [{ kind: 'late' }]])
    })

    test('asks the buyer for an address by mail, once', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      await confirm()
      const { rows } = await stage.shop.database.pool.query(
        `SELECT subject FROM mails WHERE recipient = $1 AND subject LIKE 'Where shall we send%'`,
        [order.buyer.email],
      )
      expect(rows).toEqual([{ subject: 'Where shall we send $10.00 in USDC?' }])
    })

    test.each([
      ['no checksum', WALLET.toLowerCase()],
      ['a mistyped letter', WALLET.replace('5aA', '5aB')],
      ['no address', 'my wallet'],
      ['nobody’s address', `0x${'0'.repeat(40)}`],
      ['the token itself', 'token'],
      ['the shop’s own address', 'own'],
    ])('rejects an address with %s', async (_, given) => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      const address = given === 'own' ? order.address : given === 'token' ? stage.chain.token : given
      await expect(order.buyer.call(giveRefundAddress, { orderId: order.orderId, address })).rejects.toMatchObject({
        ...{ status: 409, code: 'address_wrong' },
      })
    })

    test('reopens when the chain shows another amount or receiver than staff entered', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      const staff = await finance()
      const { id } = (await order.exceptions())[0]!
      const mark = async (txHash: string) => {
        await staff.call(markSent, { id, txHash })
        await confirm()
        return (await order.exceptions())[0]
      }
      await expect(staff.call(markSent, { id, txHash: `0x${'1'.repeat(64)}` })).rejects.toMatchObject({
        ...{ status: 409, code: 'address_missing' },
      })
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      const little = await mark(await stage.chain.send(WALLET, usdc(9)))
      expect(little).toMatchObject({ state: 'open', problem: 'This transaction sends 9.00 USDC instead of 10.00.' })
      const other = await mark(await stage.chain.send(stage.context.wallet.addressAt(1_000_000), usdc(10)))
      expect(other).toMatchObject({ state: 'open', problem: 'This transaction sends no USDC to the buyer’s address.' })
      const wrong = await mark(await stage.chain.send(WALLET, usdc(10), stage.chain.otherToken))
      expect(wrong).toMatchObject({ state: 'open', problem: 'This transaction sends no USDC to the buyer’s address.' })
    })

    test('waits for a transaction that the chain does not contain', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      const staff = await finance()
      const { id } = (await order.exceptions())[0]!
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      await staff.call(markSent, { id, txHash: `0x${'1'.repeat(64)}` })
      await confirm()
      expect(await order.exceptions()).toMatchObject([{ state: 'sent' }])
      await expect(
        order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET }),
      ).rejects.toMatchObject({ code: 'nothing_to_send' })
      await stage.shop.database.pool.query(`UPDATE usdc_exceptions SET state = 'open', tx_hash = NULL WHERE id = $1`, [
        id,
      ])
    })

    test('accepts another transaction while the first is not on the chain', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      const staff = await finance()
      const { id } = (await order.exceptions())[0]!
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      await staff.call(markSent, { id, txHash: `0x${'2'.repeat(64)}` })
      await confirm()
      await staff.call(markSent, { id, txHash: await stage.chain.send(WALLET, usdc(10)) })
      await confirm()
      expect(await order.exceptions()).toMatchObject([{ state: 'done', resolution: 'returned' }])
    })

    test('lets the buyer correct the address after a waiting time, and accepts a transfer to the former address', async () => {
      const order = await stage.order()
      await order.send(11)
      await confirm()
      const { id } = (await order.exceptions())[0]!
      const other = stage.context.wallet.addressAt(1_000_001)
      const give = (address: string) => order.buyer.call(giveRefundAddress, { orderId: order.orderId, address })
      await give(WALLET)
      const changed = await give(other)
      expect(Date.parse(changed.exceptions[0]!.waitsUntil!) - Date.now()).toBeGreaterThan(23 * 3_600_000)
      expect(changed.exceptions).toMatchObject([{ refundAddress: other }])
      const { rows } = await stage.shop.database.pool.query<{ subject: string; body_text: string }>(
        `SELECT subject, body_text FROM mails WHERE recipient = $1 AND subject LIKE '%USDC refund%' ORDER BY created_at`,
        [order.buyer.email],
      )
      expect(rows.map(({ body_text: text }) => [text.includes(WALLET), text.includes(other)])).toEqual([
        [true, false],
        [false, true],
      ])
      const staff = await finance()
      const txHash = await stage.chain.send(WALLET, usdc(1))
      await expect(staff.call(markSent, { id, txHash })).rejects.toMatchObject({ status: 409, code: 'address_new' })
      await stage.shop.database.pool.query(`UPDATE usdc_exceptions SET address_waits_until = now() WHERE id = $1`, [id])
      await staff.call(markSent, { id, txHash })
      await expect(give(WALLET)).rejects.toMatchObject({ code: 'nothing_to_send' })
      await confirm()
      await stage.look()
      expect(await order.exceptions()).toMatchObject([{ id, resolution: 'returned' }])
    })

    test('fixes the amount once staff may be sending it, and opens a separate exception for later transfers', async () => {
      const order = await stage.order()
      await order.send(11)
      await confirm()
      const { id } = (await order.exceptions())[0]!
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      await order.send(0.5)
      await confirm()
      expect(await order.exceptions()).toMatchObject([{ id, amountCents: 100, state: 'open' }])
      await (await finance()).call(markSent, { id, txHash: await stage.chain.send(WALLET, usdc(1)) })
      await confirm()
      await stage.look()
      expect(await order.exceptions()).toMatchObject([
        { id, resolution: 'returned' },
        { amountCents: 50, state: 'open' },
      ])
      expect((await order.ledger())['usdc:unclaimed']).toBe(-50)
    })

    test('counts one transaction for one exception', async () => {
      const orders = [await stage.order(), await stage.order()]
      for (const order of orders) {
        await order.expire()
        await order.send(10)
      }
      await confirm()
      const staff = await finance()
      const txHash = await stage.chain.send(WALLET, usdc(10))
      for (const order of orders) {
        await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
        const { id } = (await order.exceptions())[0]!
        await staff.call(markSent, { id, txHash })
      }
      await confirm()
      await stage.look()
      const states = (await Promise.all(orders.map((order) => order.exceptions()))).map(([one]) => one!.state)
      expect(states.toSorted()).toEqual(['done', 'open'])
    })

    test('is visible to its buyer only, and staff cannot decide their own', async () => {
      const order = await stage.order()
      await order.expire()
      await order.send(10)
      await confirm()
      const [stranger, staff] = [await stage.shop.join(), await finance()]
      await expect(stranger.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })).rejects.toMatchObject(
        {
          status: 404,
        },
      )
      const own = await stage.order('10.00', staff)
      await own.expire()
      await own.send(10)
      await confirm()
      const { id } = (await own.exceptions())[0]!
      await expect(staff.call(settleLate, { id })).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
      const { exceptions } = await staff.call(listExceptions, { queue: 'open' })
      expect(exceptions.find((one) => one.id === id)).toMatchObject({ isOwn: true, kind: 'late', amount: '10.00' })
    })

    test('refunds late money when the goods are sold out', async () => {
      const { shop } = stage
      const product = await addProduct(shop, { codes: ['AAAA-BBBB'] })
      const late = await stage.order('10.00', undefined, product)
      await late.expire()
      const first = await stage.order('10.00', undefined, product)
      await first.send(10)
      await confirm()
      expect(await first.status()).toBe('completed')
      await late.send(10)
      await confirm()
      const { id } = (await late.exceptions())[0]!
      await (await finance()).call(settleLate, { id })
      await stage.look()
      await stage.look()
      expect(await late.status()).toBe('failed')
      expect((await late.exceptions()).find(({ state }) => state === 'open')).toMatchObject({
        kind: 'refund',
        amountCents: 1000,
      })
      await giveBack(late, 1000)
      await stage.look()
      await stage.look()
      expect([await late.ledger(), (await late.exceptions()).filter(({ state }) => state !== 'done')]).toEqual([{}, []])
    })

    test('completes a refund when the chain shows its transfer', async () => {
      const order = await stage.paid()
      const { id } = await refundOrder(stage.shop.checkout, order.orderId, 'asked for', 400)
      await stage.look()
      expect(await order.exceptions()).toMatchObject([{ kind: 'refund', amountCents: 400, state: 'open' }])
      const refund = () =>
        stage.shop.database.db.selectFrom('refunds').select('status').where('id', '=', id).executeTakeFirstOrThrow()
      expect(await refund()).toEqual({ status: 'requested' })
      await giveBack(order, 400)
      await stage.look()
      expect([await refund(), await order.status()]).toEqual([{ status: 'completed' }, 'completed'])
      expect((await order.ledger())['provider:usdc:sandbox']).toBe(600)
    })
  })

  describe('closing a payment', () => {
    const close = ({ paymentId, address }: UsdcOrder) =>
      provider().close!(paymentRef({ id: paymentId, providerOrderId: address }))

    test('returns gone when no money arrived, and treats later money as late', async () => {
      const order = await stage.order()
      expect(await close(order)).toEqual({ kind: 'gone' })
      await order.expire()
      await order.send(10)
      await confirm()
      expect([await order.status(), await order.exceptions()]).toMatchObject(['failed', [{ kind: 'late' }]])
    })

    test('returns the real state when money arrived first, and the payment continues', async () => {
      const order = await stage.order()
      await order.send(4)
      await stage.look()
      expect(await close(order)).toEqual({ kind: 'partial', ref: order.address, receivedCents: 400 })
      await order.send(6)
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('accepts blocks from before the expiry of the payment', async () => {
      const order = await stage.order()
      await expireOnly(order)
      await stage.shop.database.pool.query(`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        order.orderId,
      ])
      await expireOnly(order)
      expect(await order.status()).toBe('failed')
      expect(await close(order)).toEqual({ kind: 'gone' })
      // the block is older than the end of the address, which is in an hour
      await stage.shop.database.pool.query(
        `UPDATE usdc_addresses SET expires_at = now() + interval '1 hour' WHERE payment_id = $1`,
        [order.paymentId],
      )
      await order.send(10)
      await confirm()
      expect(await order.status()).toBe('completed')
    })

    test('completes the close when the buyer returns to the payment', async () => {
      const order = await stage.order()
      await close(order)
      await order.buyer.call(startPayment, {
        ...{ amount: '10.00', currency: 'USD', intent: 'capture', orderId: order.orderId },
      })
      await order.send(10)
      await confirm()
      expect(await order.status()).toBe('completed')
    })
  })

  describe('daily report', () => {
    /** Blocks that a test mines at once have later times than the machine. */
    async function readDay() {
      const { timestamp } = await stage.chain.ask<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
      const now = new Date(Number(timestamp) * 1000)
      const compared = await reconcileDay(
        stage.shop.database.pool,
        provider(),
        now.toISOString().slice(0, 10),
        now.getTime(),
      )
      return compared.kind === 'compared' ? compared : { ...compared, lines: [], differences: [] }
    }
    const update = (text: string, address: string) =>
      stage.shop.asOwner(`UPDATE usdc_transfers SET ${text} WHERE address = '${address}'`)

    test('matches the ledger after payments, refunds and reorganisations', async () => {
      const order = await stage.paid()
      const { kind, lines, differences } = await readDay()
      expect({ kind, differences }).toEqual({ kind: 'compared', differences: [] })
      const { hash } = (await order.transfer()).transactions[0]!
      expect(lines.filter(({ ref }) => ref.startsWith(hash))).toMatchObject([{ kind: 'payment', amountCents: 1000 }])
    })

    test.each([
      ['a row of another amount', `units = 9990000`, `units = 10000000`, ['other_amount']],
      [
        'a transfer that the shop lost',
        `confirmed_at = NULL, removed_at = now()`,
        `confirmed_at = now(), removed_at = NULL`,
        ['only_there'],
      ],
      [
        'a row that the chain does not have',
        `log_index = log_index + 900`,
        `log_index = log_index - 900`,
        ['only_here', 'only_there'],
      ],
    ])('shows %s', async (_, wrong, right, kinds) => {
      const { address } = await stage.paid()
      await update(wrong, address)
      expect((await readDay()).differences.map(({ kind }) => kind).toSorted()).toEqual(kinds)
      await update(right, address)
      expect((await readDay()).differences).toEqual([])
    })

    test('shows money that was sent back in another amount', async () => {
      const order = await stage.order()
      await order.send(12)
      await confirm()
      await order.buyer.call(giveRefundAddress, { orderId: order.orderId, address: WALLET })
      const { id } = (await order.exceptions())[0]!
      const txHash = await stage.chain.send(WALLET, usdc(2))
      await (await stage.shop.join({ role: 'finance' })).call(markSent, { id, txHash })
      await confirm()
      const { lines, differences } = await readDay()
      expect(differences).toEqual([])
      expect(lines.find(({ ref }) => ref.startsWith(txHash))).toMatchObject({ kind: 'refund', amountCents: 200 })
      const change = (cents: number) =>
        stage.shop.asOwner(`UPDATE usdc_exceptions SET amount_cents = ${cents} WHERE id = '${id}'`)
      await change(199)
      expect((await readDay()).differences.map(({ kind }) => kind)).toEqual(['other_amount'])
      await change(200)
    })

    test.each(['away', 'hidden', 'ahead'] as const)('fails while the nodes are unreliable: %s', async (lie) => {
      stage.chain.lie(lie)
      expect((await readDay()).kind).toBe('unread')
      stage.chain.lie(null)
    })
  })

  test('the guide shows the first test payment once it is confirmed and of the right token', async () => {
    const admin = await stage.shop.join({ isAdmin: true })
    const watch = () => admin.call(checkUsdc, {})
    const first = await watch()
    expect(first.checks.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'ok'))
    expect(first).toMatchObject({
      isConfigured: true,
      firstAddress: stage.context.wallet.addressAt(0),
      test: { address: stage.context.wallet.addressAt(0), amount: '0.01', received: '0.00', isConfirmed: false },
    })
    const { address } = first.test!
    await stage.chain.send(address, 10_000, stage.chain.otherToken)
    await confirm()
    expect((await watch()).test).toMatchObject({ received: '0.00', isConfirmed: false })
    const undo = await stage.chain.fork()
    await stage.chain.send(address, 10_000)
    await stage.look()
    expect((await watch()).test).toMatchObject({ received: '0.01', isConfirmed: false })
    await undo()
    await stage.look()
    expect((await watch()).test).toMatchObject({ received: '0.00', isConfirmed: false })
    await stage.chain.send(address, 10_000)
    await confirm()
    expect((await watch()).test).toMatchObject({ received: '0.01', isConfirmed: true })
    // the test payment belongs to no order, and a draft shows none
    expect((await admin.call(checkUsdc, { CRYPTO_CHAIN: '31337' })).test).toBeNull()
  })

  test('the doctor shows the problem of the nodes', async () => {
    const examine = (env: Record<string, string> = {}) =>
      checkChain(readConfig({ NODE_ENV: 'test', ...stage.chain.settings, ...env }))
    expect(await examine()).toMatchObject({ grade: 'ok', says: expect.stringContaining('Local test chain: 2 nodes') })
    for (const [lie, says] of [
      ['away', /gives no answer/],
      ['chain', /serves chain 1/],
      ['ahead', /blocks apart/],
    ] as const) {
      stage.chain.lie(lie)
      expect(await examine()).toMatchObject({ grade: 'fail', says: expect.stringMatching(says) })
    }
    stage.chain.lie(null)
    const damaged = stage.chain.settings.CRYPTO_XPUB.replace(/.$/, 'Q')
    expect(await examine({ CRYPTO_XPUB: damaged })).toMatchObject({
      grade: 'fail',
      says: expect.stringMatching(/^CRYPTO_XPUB/),
    })
    expect(await checkChain(readConfig({ NODE_ENV: 'test' }))).toBeNull()
  })

  test('Settings show USDC as an active payment method', async () => {
    const buyer = await stage.shop.join()
    expect(await buyer.call(listIntegrations, {})).toEqual([
      { id: 'crypto', name: 'USDC', state: 'active', isSandbox: true },
    ])
  })
})
