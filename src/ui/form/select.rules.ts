export type Option = { value: string; label: string }

/** Throws for an option with an empty value: an empty value means that nothing is chosen. */
export function checkOptions(options: Option[]) {
  for (const { value, label } of options)
    if (value === '') throw new Error(`A Select item must have a value that is not empty: '${label}'`)
}
