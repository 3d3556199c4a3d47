/** The kinds of goods by the word of their column. */
export const KINDS = ['file', 'code', 'license', 'bundle'] as const
export type KindName = (typeof KINDS)[number]

/** What sellers choose from. */
export const KIND_NAMES: Record<KindName, string> = {
  file: 'File',
  code: 'Codes',
  license: 'Licence keys',
  bundle: 'Bundle',
}
