// Messages between the soak and its crowd.

export const READS = ['list', 'detail', 'search', 'page'] as const
export type Deed = (typeof READS)[number] | 'cart' | 'checkout' | 'chat'

export type CrowdOrder = {
  port: number
  seconds: number
  /** True when the people stop. */
  isLast: boolean
  cookies: string[]
  productIds: string[]
  searches: string[]
}

/** What happened since the last report: milliseconds of each deed, and events of the change feeds that are open. */
export type CrowdReport = { times: Record<Deed, number[]>; errors: string[]; events: number; feeds: number }
