// Token buckets in memory, one a key; a key is the account or the address, never a field the caller can vary.

export type Limit = {
  /** Whose budget: the signed-in account's (the address when signed out), or the address's. */
  per: 'account' | 'address'
  count: number
  seconds: number
  /** Counted by all nodes together, at the price of a statement: for what guards money or passwords. */
  isShared?: true
}

/** `fullAt` is when it is as if it had never been used. */
type Bucket = { tokens: number; at: number; fullAt: number }

const MOST_BUCKETS = 100_000
/** So many are looked at when room is needed. */
const LOOKED_AT = 32

export type Limiter = ReturnType<typeof createLimiter>

/** `scale` multiplies every count; 0 switches limits off (for load tests). `now` is in milliseconds and monotonic. */
export function createLimiter({ scale = 1, now = () => performance.now(), most = MOST_BUCKETS } = {}) {
  const buckets = new Map<string, Bucket>()

  /** Takes one token; answers 0, or the seconds to wait. */
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

  /**
   * Forgets buckets that are full again, or else the one that is so first. A caller with many keys pushes out what says
   * nothing, and not the spent budget of an account that is being guessed at.
   */
  function makeRoom(at: number) {
    const oldest = [...buckets.entries().take(LOOKED_AT)]
    const first = Math.min(...oldest.map(([, { fullAt }]) => fullAt))
    for (const [key, bucket] of oldest) {
      buckets.delete(key)
      // what stays goes to the end, so that the next look meets others
      if (bucket.fullAt > Math.max(at, first)) buckets.set(key, bucket)
    }
  }

  return { take }
}

/** What counts as one address: an IPv4 address, or an IPv6 network of 64 bits, which is what one household is given. */
export const networkOf = (ip: string): string => ipv4Of(ip) ?? `${groupsOf(ip, 4)}::/64`

/** 65,536 such networks, which anybody can have for nothing; the address itself for IPv4. */
export const wideNetworkOf = (ip: string): string => ipv4Of(ip) ?? `${groupsOf(ip, 3)}::/48`

const ipv4Of = (ip: string): string | undefined =>
  ip.includes(':') ? /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] : ip

/** The first of the eight groups of an IPv6 address, however it is written. */
function groupsOf(ip: string, count: number): string {
  const [head = '', tail] = ip.split('%')[0]!.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
