import { sized } from '../drill/profile.ts'
import { cpuMs, postgresCpuMs } from './stage.ts'
import type { LoadResult } from './orders.ts'
import { firstOf, required } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'

export type Side = {
  pid: number
  load: (seconds: number) => Promise<LoadResult>
  drain?: () => Promise<void>
}

/** Medians of the rounds. CPU times are milliseconds per request, of the process and of PostgreSQL. */
export type Figures = LoadResult & { ownMs: number; postgresMs: number }

export const WARM_UP_SECONDS = sized(2, 0.1)
export const ROUND_SECONDS = sized(4, 0.2)
export const ROUNDS = sized(3, 1)

/** Measures the sides in turns, so that noise on the machine affects all. */
export async function measure(pgDir: string, sides: Side[]): Promise<Figures[]> {
  for (const side of sides) {
    await side.load(WARM_UP_SECONDS)
    await side.drain?.()
  }
  const rounds: Figures[][] = sides.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, side] of sides.entries())
      required(rounds[i], 'an entry of rounds').push(await measureRound(pgDir, side))
  }
  return rounds.map((ofSide) => {
    const median = (key: keyof Figures) => medianOf(ofSide.map((figures) => figures[key]))
    const keys = Object.keys(firstOf(ofSide)) as (keyof Figures)[]
    return Object.fromEntries(keys.map((key) => [key, median(key)])) as Figures
  })
}

async function measureRound(pgDir: string, side: Side): Promise<Figures> {
  const before = [cpuMs(side.pid), postgresCpuMs(pgDir)] as const
  const result = await side.load(ROUND_SECONDS)
  await side.drain?.()
  return {
    ...result,
    ownMs: (cpuMs(side.pid) - before[0]) / result.count,
    postgresMs: (postgresCpuMs(pgDir) - before[1]) / result.count,
  }
}
