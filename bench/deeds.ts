export const READS = ['list', 'detail', 'search', 'page'] as const
export type Deed = (typeof READS)[number] | 'cart' | 'checkout' | 'chat'

export type CrowdOrder = {
  port: number
  seconds: number
  isLast: boolean
  cookies: string[]
  productIds: string[]
  searches: string[]
}

export type CrowdReport = { times: Record<Deed, number[]>; errors: string[]; events: number; feeds: number }
