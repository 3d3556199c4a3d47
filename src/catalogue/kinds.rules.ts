export const KINDS = ['file', 'code', 'license', 'bundle', 'course'] as const
export type KindName = (typeof KINDS)[number]

/** Devices of a licence key whose seller chose no number. */
export const DEFAULT_DEVICES = 3

/** Kinds with identical copies. A buyer needs one copy and can give the others away. */
export const ONE_IS_ENOUGH: readonly KindName[] = ['file', 'course']
