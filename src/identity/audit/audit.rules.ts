import texts from './audit.json' with { type: 'json' }

export const ACTS = texts.acts

export type Act = keyof typeof ACTS

export const KINDS = texts.kinds
export type Kind = keyof typeof KINDS

/** Returns the name of an act. Falls back to its code, for an act of a later version. */
export const nameOfAct = (act: string): string => (ACTS as Record<string, string>)[act] ?? act

/** 'amount: $12.00 · reason: damaged' */
export const describeDetails = (details: Record<string, string>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')
