import { required } from '../src/kit/values/required.ts'
import type { FormerRelease } from './formerRelease.ts'
import type { ShopNode, World } from './world.ts'

type StartOptions = { minutesOff?: number; release?: FormerRelease | null }

/** Runs the nodes of the shop. Collects the errors of a node before it ends, because its log ends with it. */
export function createClusterNodes(world: World, owns: { port: number; settings: Record<string, string> }[]) {
  const running: ShopNode[] = []
  const errors: string[] = []
  const nodeAt = (at: number) => required(running[at], `node ${at + 1}`)

  async function start(at: number, { minutesOff = 0, release = null }: StartOptions = {}) {
    const own = required(owns[at], `the settings of node ${at + 1}`)
    running[at] = await world.startBeside(minutesOff, { ...own, ...(release && { root: release.root }) })
  }

  async function stop(at: number) {
    const { shop } = nodeAt(at)
    const code = await shop.stop()
    errors.push(...shop.errors(), ...(code === 0 ? [] : [`node ${at + 1} did not stop in order: ${code}`]))
  }

  return {
    start,
    stop,
    restart: async (at: number, options?: StartOptions) => {
      await stop(at)
      await start(at, options)
    },
    kill: async (at: number) => {
      const { shop } = nodeAt(at)
      await shop.kill()
      errors.push(...shop.errors())
    },
    urlOf: (at: number) => nodeAt(at).url,
    report: (error: string) => void errors.push(error),
    /** Returns each error since the last call once. */
    takeErrors: () => {
      errors.push(...running.flatMap(({ shop }) => shop.errors()))
      return new Set(errors.splice(0))
    },
  }
}

export type ClusterNodes = ReturnType<typeof createClusterNodes>
