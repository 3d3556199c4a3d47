import type { Recorded } from './record.ts'

// Messages between the processes of the bench.

export type BenchRequest = { line: string; cookie?: string; body?: object }

export type LoadOrder = { port: number; connections: number; seconds: number } & (
  | { kind: 'requests'; requests: BenchRequest[] }
  | { kind: 'checkout'; cookies: string[]; productId: string; total: string }
  | { kind: 'provider'; token: string; body: string }
)

/** Times in milliseconds; bytes per answer, including the head. */
export type LoadResult = { count: number; perSecond: number; p50: number; p99: number; bytes: number }

export type SqlOrder = { url: string; pool: number; connections: number; seconds: number } & (
  | { kind: 'statements'; statements: { name?: string; text: string; values: unknown[] }[] }
  | { kind: 'recording'; recording: Recorded[]; buyers: Record<string, string>[] }
)
