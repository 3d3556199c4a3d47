/** The kinds of goods by the word of their column. */
export const KINDS = ['file', 'code', 'license', 'bundle', 'course'] as const
export type KindName = (typeof KINDS)[number]
