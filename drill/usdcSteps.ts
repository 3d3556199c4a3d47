import { startPayment } from '../src/checkout/checkout.contract.ts'
import { send } from '../src/kit/call.ts'
import { toDecimal } from '../src/kit/money.ts'
import { unitsOf } from '../src/providers/usdc/units.rules.ts'
import { CONFIRMATIONS, openChainNode } from '../test/chain/chain.ts'
import { createRandom } from './shoppers.ts'
import { lockTable, openStage } from './stage.ts'
import { openBank } from './usdcBank.ts'
import { settleAll } from './usdcRest.ts'
import { findBroken, findUntruths } from './usdcTruth.ts'
import { openWorld, type World } from './world.ts'
import { only } from '../src/kit/values/required.ts'

// Kills the shop at each step between a transfer on the chain and a settled order.

type Waiting = { world: World; stage: Awaited<ReturnType<typeof openStage>>; orderId: string }

const USDC_STEPS: { name: string; reach: (waiting: Waiting) => Promise<unknown> }[] = [
  {
    name: 'after the chain is read, before rows and cursor are written',
    reach: async ({ stage }) => {
      await stage.hold(lockTable('usdc_transfers', 'EXCLUSIVE'))
      return () => stage.standing(1, 'INSERT INTO usdc_transfers')
    },
  },
  {
    name: 'after the rows are written, before the payment settles',
    reach: async ({ stage, orderId }) => {
      await stage.hold(`SELECT FROM orders WHERE id = '${orderId}' FOR UPDATE`)
      return () => stage.standing(1, 'from "orders"')
    },
  },
  {
    name: 'inside settle, before it is committed',
    reach: async ({ stage }) => {
      await stage.hold(lockTable('mails', 'EXCLUSIVE'))
      return () => stage.standing(1, 'insert into "mails"')
    },
  },
]
const STEP_TIMEOUT_MS = 20_000

export async function runUsdcSteps(databaseUrl: string, { rounds = 1 } = {}) {
  const chain = await openChainNode()
  const world = await openWorld(databaseUrl, { BONUS_PERCENT: '0', ...chain.settings })
  const violations: string[] = []
  const cents = 1250
  try {
    const bank = openBank(chain, createRandom(1))
    const productId = await world.offer({ priceCents: cents })
    const shopper = only(await world.invite(1))
    await world.start()
    for (let round = 0; round < rounds; round++)
      for (const { name, reach } of USDC_STEPS) {
        const terms = { amount: toDecimal(cents), currency: 'USD', intent: 'capture', method: 'usdc' } as const
        const { id, orderId } = await send(
          startPayment,
          { ...terms, items: [{ productId, quantity: 1 }] },
          { base: world.url, headers: { cookie: shopper.cookie, 'idempotency-key': crypto.randomUUID() } },
        )
        const stage = await openStage(world.databaseUrl, STEP_TIMEOUT_MS)
        try {
          const standing = (await reach({ world, stage, orderId })) as () => Promise<void>
          await bank.send({ to: id, units: unitsOf(cents) })
          await bank.mine(CONFIRMATIONS)
          await standing()
        } finally {
          await world.kill()
          await stage.clear()
        }
        await world.start()
        await settleAll(world, chain, bank)
        const { rows } = await world.database.pool.query<{ status: string }>(
          'SELECT status FROM orders WHERE id = $1',
          [orderId],
        )
        if (only(rows).status !== 'completed') violations.push(`${name}: the order is ${only(rows).status}`)
        violations.push(...(await findUntruths(world, chain)), ...(await findBroken(world, [shopper])))
      }
    return { kills: rounds * USDC_STEPS.length, violations }
  } finally {
    await world.close()
    await chain.stop()
  }
}
