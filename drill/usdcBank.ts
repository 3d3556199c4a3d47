import { setTimeout as pause } from 'node:timers/promises'
import { rereadBlocks } from '../src/providers/usdc/scan.server.ts'
import { CONFIRMATIONS, type TestChain } from '../test/chain/chain.ts'
import { required } from '../src/kit/values/required.ts'

/** Maximum blocks of a reorganisation. Each transfer is a block; 16 are reserved for those already under way. */
const MAX_BLOCKS = rereadBlocks(CONFIRMATIONS) - 16

export type Random = () => number
type Sent = { to: string; units: number; of?: string }

/** Runs one action at a time: a transaction must not wait for a block that a reorganisation removes. */
export function openBank(chain: TestChain, random: Random) {
  let last: Promise<unknown> = Promise.resolve()
  let sentSince: Sent[] | null = null
  const counts = { transfers: 0, reorganisations: 0, deep: 0, vanished: 0 }

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
  const sendNow = ({ to, units, of }: Sent) => chain.send(to, units, of)

  return {
    counts,
    mine: (blocks = 1) => alone(() => chain.mine(blocks)),
    send: (sent: Sent) =>
      alone(async () => {
        counts.transfers += 1
        sentSince?.push(sent)
        return sendNow(sent)
      }),
    /** Removes the blocks of `ms` milliseconds. Sends most of their transfers again in other blocks. */
    reorganise: async (ms: number, blocks: number) => {
      const undo = await alone(async () => {
        sentSince = []
        return chain.fork()
      })
      await pause(ms / 3)
      await alone(() => chain.mine(blocks))
      // the shop re-reads a limited number of blocks, so the reorganisation must not exceed it
      const end = performance.now() + (ms * 2) / 3
      while (performance.now() < end && required(sentSince, 'the list of transfers').length + blocks < MAX_BLOCKS)
        await pause(50)
      await alone(async () => {
        const lost = required(sentSince, 'the list of transfers')
        sentSince = null
        await undo()
        counts.reorganisations += 1
        counts.deep += blocks > CONFIRMATIONS ? 1 : 0
        for (const sent of lost) {
          if (random() < 0.8) await sendNow(sent)
          else counts.vanished += 1
        }
      })
    },
  }
}
export type Bank = ReturnType<typeof openBank>
