/** The pages that say what the shop promises, linked where a person decides something. */
export const LEGAL_PAGES = [
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy'],
  ['/refunds', 'Refunds'],
] as const
