export const fromBundle = (bundleTitle: string | null | undefined): string =>
  bundleTitle ? ` (from ${bundleTitle})` : ''
