import type { Span } from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'

/** What a line of the log or a span belongs to: a request or a job. */
export type Current = { requestId: string; span?: Span }

const store = new AsyncLocalStorage<Current>()

/** Runs `work`, and whatever it starts, as a part of `current`. */
export const runAs = <T>(current: Current, work: () => T): T => store.run(current, work)

export const readCurrent = (): Current | undefined => store.getStore()
