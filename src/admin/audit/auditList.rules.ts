/** The pages of the things that staff act on, by the first word of an act. */
const PAGES: Record<string, string> = {
  account: '/admin/members/',
  dispute: '/admin/orders/',
  order: '/admin/orders/',
  product: '/product/',
  security: '/admin/members/',
  seller: '/admin/members/',
}

/** Returns the page of the thing that an act was about, or null if it has none. */
export function pathOfSubject(act: string, subjectId: string): string | null {
  const page = PAGES[act.split('.')[0] ?? '']
  return page ? page + subjectId : null
}

/** Groups entries that are sorted by time, in their order. */
export function daysOf<T>(entries: T[], dayOf: (entry: T) => string): [day: string, entries: T[]][] {
  return [...Map.groupBy(entries, dayOf)]
}
