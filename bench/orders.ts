import type { Recorded } from './record.ts'

export type BenchRequest = { line: string; cookie?: string; body?: object }

export type LoadOrder = { port: number; connections: number; seconds: number } & (
  | { kind: 'requests'; requests: BenchRequest[] }
  | { kind: 'checkout'; cookies: string[]; productId: string; total: string }
)

/** Times in milliseconds. */
export type LoadResult = { count: number; perSecond: number; p50: number }

export type SqlOrder = { url: string; pool: number; connections: number; seconds: number } & (
  | { kind: 'statements'; statements: { name?: string; text: string; values: unknown[] }[] }
  | { kind: 'recording'; recording: Recorded[]; buyers: Record<string, string>[] }
)

export async function takeTurns(connections: number, seconds: number, open: () => () => Promise<unknown>) {
  const tookMs: number[] = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const turn = open()
      for (let at = performance.now(); at < end;) {
        await turn()
        const now = performance.now()
        tookMs.push(now - at)
        at = now
      }
    }),
  )
  const perSecond = (tookMs.length * 1000) / (performance.now() - startedAt)
  return { count: tookMs.length, perSecond, p50: tookMs.sort((a, b) => a - b)[tookMs.length >> 1] ?? 0 }
}
