import { Unanswered, UnderWay, type Unknown } from './outcome.ts'

export const unclear = (why: string): Unknown => ({ kind: 'unknown', isAway: false, why })

/** Converts Unanswered errors to an `unknown` outcome. Other errors are defects and propagate. */
export async function orUnknown<T>(work: Promise<T>): Promise<T | Unknown> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    return { kind: 'unknown', isAway: !(error instanceof UnderWay), why: error.message }
  }
}
