export const KINDS = ['file', 'code', 'license', 'bundle', 'course'] as const
export type KindName = (typeof KINDS)[number]

/** Kinds whose copies are all the same thing: its buyer needs one, and gives the others away. */
export const ONE_IS_ENOUGH: readonly KindName[] = ['file', 'course']
