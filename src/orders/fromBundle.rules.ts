/** Follows the title of a line that was bought in a bundle. */
export const fromBundle = (bundleTitle: string | null | undefined): string =>
  bundleTitle ? ` (from ${bundleTitle})` : ''
