import { setTimeout as pause } from 'node:timers/promises'
import { send } from '../src/kit/call.ts'
import type { Endpoint, Input, Reply } from '../src/kit/contract.ts'
import { Failure } from '../src/kit/failure.ts'
import { required } from '../src/kit/values/required.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import type { Shopper } from './world.ts'

export type Manners = {
  random: () => number
  tries: number
  pauseMs: number
  patienceMs: number
  provider?: DrillProvider
  tabs?: number
}

type Attempt<R> = { outcome: 'ok'; reply: R } | { outcome: 'refused'; failure: Failure } | { outcome: 'unknown' }

/** Returns the requests of one visit. A call without an answer or with a 5xx is 'unknown', never 'refused'. */
export function openShopperCalls({ cookie }: Shopper, urls: string | string[], manners: Manners) {
  const { random, provider = DRILL_PROVIDERS.paypal, tries, pauseMs, patienceMs } = manners
  const chance = (share: number) => random() < share
  const pick = <T>(list: T[]): T => required(list[Math.floor(random() * list.length)], 'an entry of list')
  const node = () => (typeof urls === 'string' ? urls : pick(urls))

  async function ask<E extends Endpoint>(endpoint: E, input: Input<E>, key?: string): Promise<Attempt<Reply<E>>> {
    const headers = { cookie, ...(key && { 'idempotency-key': key }) }
    try {
      const signal = AbortSignal.timeout(patienceMs)
      return { outcome: 'ok', reply: await send(endpoint, input, { base: node(), headers, signal }) }
    } catch (error) {
      const isRefusal = error instanceof Failure && error.status < 500
      return isRefusal ? { outcome: 'refused', failure: error } : { outcome: 'unknown' }
    }
  }

  async function insist<R>(once: () => Promise<Attempt<R>>): Promise<Attempt<R>> {
    for (let left = tries; ; left--) {
      const asked = await once()
      if (asked.outcome !== 'unknown' || left <= 1) return asked
      await pause(pauseMs)
    }
  }

  /** Repeats a request until it is answered, or sends it two or three times at once, like a double click. */
  const click = async <R>(once: () => Promise<Attempt<R>>): Promise<Attempt<R>[]> =>
    chance(0.3) ? Promise.all(Array.from({ length: 2 + Math.floor(random() * 2) }, once)) : [await insist(once)]

  /** Approves or declines in the payment window. The sandbox runs in the shop's process, so it may be down. */
  async function press(door: 'approve' | 'decline', id: string): Promise<boolean> {
    for (let left = tries; left > 0; left--) {
      try {
        const response = await fetch(`${node()}/sandbox/${provider.name}/test/orders/${id}/${door}`, {
          method: 'POST',
          signal: AbortSignal.timeout(patienceMs),
        })
        if (response.status < 500) return response.status === 204
      } catch {
        // the sandbox is down
      }
      await pause(pauseMs)
    }
    return false
  }

  return { provider, random, chance, pick, ask, insist, click, press }
}

export type ShopperCalls = ReturnType<typeof openShopperCalls>
