import type { Span } from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'

/** The request or job that log lines and spans belong to. */
export type Current = { requestId: string; span?: Span }

const store = new AsyncLocalStorage<Current>()

export const runAs = <T>(current: Current, work: () => T): T => store.run(current, work)

export const readCurrent = (): Current | undefined => store.getStore()
