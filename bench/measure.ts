import { cpuMs, postgresCpuMs } from './stage.ts'
import type { OwnServer } from '../drill/postgres.ts'
import type { LoadResult } from './orders.ts'

export type Side = {
  /** The measured process. */
  pid: number
  load: (seconds: number) => Promise<LoadResult>
  /** Waits for the work that the load has started. */
  drain?: () => Promise<void>
}

/** Medians of the rounds. CPU times are milliseconds per request, of the process and of PostgreSQL. */
export type Figures = LoadResult & { ownMs: number; postgresMs: number }

export const WARM_UP_SECONDS = 2
export const ROUND_SECONDS = 5
export const ROUNDS = 3

/** Measures both sides in turns, so that noise on the machine affects both. */
export async function measure<Sides extends Side[]>(postgres: OwnServer, ...sides: Sides): Promise<Figures[]> {
  for (const side of sides) {
    await side.load(WARM_UP_SECONDS)
    await side.drain?.()
  }
  const rounds: Figures[][] = sides.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, side] of sides.entries()) rounds[i]!.push(await measureRound(postgres, side))
  }
  return rounds.map((ofSide) => {
    const median = (key: keyof Figures) => ofSide.map((figures) => figures[key]).sort((a, b) => a - b)[ROUNDS >> 1]!
    const keys = Object.keys(ofSide[0]!) as (keyof Figures)[]
    return Object.fromEntries(keys.map((key) => [key, median(key)])) as Figures
  })
}

async function measureRound(postgres: OwnServer, side: Side): Promise<Figures> {
  const before = [cpuMs(side.pid), await postgresCpuMs(postgres)] as const
  const result = await side.load(ROUND_SECONDS)
  await side.drain?.()
  return {
    ...result,
    ownMs: (cpuMs(side.pid) - before[0]) / result.count,
    postgresMs: ((await postgresCpuMs(postgres)) - before[1]) / result.count,
  }
}
