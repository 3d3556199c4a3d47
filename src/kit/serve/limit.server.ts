import ipaddr from 'ipaddr.js'

// Token buckets in memory. A key is the account or the address, never a field that the caller can vary.

export type Limit = {
  /** 'account' falls back to the address for signed-out callers. */
  per: 'account' | 'address'
  count: number
  seconds: number
  /** All nodes share the limit, which costs a statement. For calls that protect money or passwords. */
  isShared?: true
}

type Bucket = { tokens: number; at: number; fullAt: number }

const MAX_BUCKETS = 100_000
/** Eviction candidates per new bucket. */
const CANDIDATES = 32

export type Limiter = ReturnType<typeof createLimiter>

/** `scale` multiplies every count; 0 switches limits off, for load tests. */
export function createLimiter({ scale = 1, now = () => performance.now(), most = MAX_BUCKETS } = {}) {
  const buckets = new Map<string, Bucket>()

  function take(key: string, { count, seconds }: Limit): number {
    if (scale === 0) return 0
    const size = count * scale
    const perMs = size / (seconds * 1000)
    const at = now()
    const found = buckets.get(key)
    const bucket = found ?? { tokens: size, at, fullAt: at }
    bucket.tokens = Math.min(size, bucket.tokens + (at - bucket.at) * perMs)
    bucket.at = at
    if (!found) {
      if (buckets.size >= most) makeRoom(at)
      buckets.set(key, bucket)
    }
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1000)
    bucket.tokens -= 1
    bucket.fullAt = at + (size - bucket.tokens) / perMs
    return 0
  }

  /** Evicts full buckets, or else the bucket that is full first, so that a flood of keys evicts no spent budget. */
  function makeRoom(at: number) {
    const oldest = [...buckets.entries().take(CANDIDATES)]
    const first = Math.min(...oldest.map(([, { fullAt }]) => fullAt))
    for (const [key, bucket] of oldest) {
      buckets.delete(key)
      // moves the bucket to the end, so that the next eviction checks others
      if (bucket.fullAt > Math.max(at, first)) buckets.set(key, bucket)
    }
  }

  return { take }
}

/** Returns an IPv4 address, or the /64 of an IPv6 address, because one household gets a /64. */
export const networkOf = (ip: string): string => prefixOf(ip, 4)

/** Returns the /48 of an IPv6 address (65,536 networks), because one person can get a /48 for free. */
export const wideNetworkOf = (ip: string): string => prefixOf(ip, 3)

function prefixOf(ip: string, groups: number): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const prefix = address.parts.slice(0, groups).map((group) => group.toString(16))
  return `${prefix.join(':')}::/${16 * groups}`
}
