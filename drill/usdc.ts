import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { cancelPayment, capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { send } from '../src/kit/call.ts'
import { toDecimal } from '../src/kit/money.ts'
import { unitsOf } from '../src/providers/usdc/units.rules.ts'
import { CONFIRMATIONS, openChainNode, type TestChain } from '../test/chain/chain.ts'
import { countOrders } from './rest.ts'
import { createRandom } from './shoppers.ts'
import { type Bank, openBank, type Random } from './usdcBank.ts'
import { giveBack, settleAll } from './usdcRest.ts'
import { countExceptions, findBroken, findUntruths } from './usdcTruth.ts'
import { openWorld, type Shopper, type World } from './world.ts'
import { required, wrapped } from '../src/kit/values/required.ts'

// Buyers pay with USDC on a real chain while the chain is reorganised, nodes of the shop are killed, clocks are wrong
// and a node of the chain lies. At the end, the shop's records must match the balances of the chain.

export type UsdcRound = { shoppers: number; seconds: number; minutesOff?: number; seed?: number }

type Buying = { world: World; urls: string[]; chain: TestChain; bank: Bank; random: Random }

/** Starts a payment, often in two tabs at once, and pays in one of many ways. Never throws on an error answer. */
async function buy({ urls, chain, bank, random }: Buying, { cookie, seen }: Shopper, productId: string, cents: number) {
  const node = () => required(urls[Math.floor(random() * urls.length)], 'an entry of urls')
  const headers = { cookie }
  const quietly = <T>(call: () => Promise<T>): Promise<T | null> => {
    return call().catch(() => null)
  }
  const signal = () => AbortSignal.timeout(8000)
  const terms = { amount: toDecimal(cents), currency: 'USD', intent: 'capture', method: 'usdc' } as const
  const first = { ...terms, items: [{ productId, quantity: 1 }] }
  const key = crypto.randomUUID()
  const start = () =>
    quietly(() =>
      send(startPayment, first, { base: node(), headers: { ...headers, 'idempotency-key': key }, signal: signal() }),
    )
  const started = (await Promise.all(random() < 0.3 ? [start(), start()] : [start()])).find((one) => one !== null)
  if (!started) return
  const { id: to, orderId } = started
  seen.orders.push({ orderId, totalCents: cents })
  const units = unitsOf(cents)
  const pay = (some: number, of?: string) => bank.send({ to, units: some, ...(of && { of }) })
  const mood = random()
  if (mood < 0.5) await pay(units)
  else if (mood < 0.65) {
    await pay(units - unitsOf(250))
    await pause(randomInt(1000))
    await pay(unitsOf(250))
  } else if (mood < 0.73) await pay(units + unitsOf(130))
  else if (mood < 0.8) await pay(units - 1)
  else if (mood < 0.85) await pay(units, chain.otherToken)
  else if (mood < 0.92) {
    await quietly(() => send(cancelPayment, { id: to }, { base: node(), headers, signal: signal() }))
    await pay(units)
  } else return
  if (random() < 0.3) await quietly(() => send(capturePayment, { id: to }, { base: node(), headers, signal: signal() }))
}

export async function runUsdc(
  databaseUrl: string,
  { shoppers: count, seconds, minutesOff = 0, seed = randomInt(2 ** 31) }: UsdcRound,
) {
  const chain = await openChainNode()
  const world = await openWorld(databaseUrl, { BONUS_PERCENT: '0', ...chain.settings })
  const random = createRandom(seed)
  const bank = openBank(chain, random)
  try {
    const prices = [999, 1250]
    const products = await Promise.all(prices.map((priceCents) => world.offer({ priceCents })))
    const shoppers = await world.invite(count)
    const first = await world.start(minutesOff)
    let second = await world.startBeside(-minutesOff)
    const urls = [world.url, second.url]
    const buying = { world, urls, chain, bank, random }
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const errors: string[] = []
    let kills = 0
    let lies = 0

    async function killSecond() {
      while (!isOver()) {
        await pause(randomInt(4000, 9000))
        await second.shop.kill()
        errors.push(...second.shop.errors())
        kills += 1
        second = await world.startBeside(-minutesOff)
        urls[1] = second.url
      }
    }
    async function lie() {
      const kinds = ['away', 'hidden', 'block', 'ahead'] as const
      while (!isOver()) {
        await pause(randomInt(4000, 8000))
        chain.lie(wrapped(kinds, lies++))
        await pause(randomInt(500, 2500))
        chain.lie(null)
      }
    }
    async function reorganise() {
      for (let round = 0; !isOver(); round++) {
        // every third one is deeper than the confirmations, and lasts until the shop has confirmed its payments
        const isDeep = round % 3 === 2
        await bank.reorganise(isDeep ? 15_000 : randomInt(200, 1500), isDeep ? CONFIRMATIONS + 2 : 1)
        await bank.mine(randomInt(1, CONFIRMATIONS + 2))
        await pause(randomInt(500, 2000))
      }
    }
    const shopping = shoppers.map(async (shopper, i) => {
      while (!isOver()) {
        await buy(
          buying,
          shopper,
          required(products[i % 2], 'an entry of products'),
          required(prices[i % 2], 'an entry of prices'),
        )
        await pause(randomInt(4000, 9000))
      }
    })
    await Promise.all([...shopping, killSecond(), lie(), reorganise()])
    chain.lie(null)
    await settleAll(world, chain, bank)
    const returned = await giveBack(world, chain, bank)
    return {
      ...{ seed, kills, lies, returned, ...bank.counts },
      orders: await countOrders(world),
      exceptions: await countExceptions(world),
      violations: [...(await findUntruths(world, chain)), ...(await findBroken(world, shoppers))],
      errors: [...errors, ...first.errors(), ...second.shop.errors()],
    }
  } finally {
    await world.close()
    await chain.stop()
  }
}
