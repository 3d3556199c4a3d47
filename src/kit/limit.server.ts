// Token buckets in memory, one a key; a key is the account or the address, never a field the caller can vary.

export type Limit = {
  /** Whose budget: the signed-in account's (the address when signed out), or the address's. */
  per: 'account' | 'address'
  count: number
  seconds: number
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

  /** Gives one token back, for an attempt that turned out not to count. */
  function giveBack(key: string, { count, seconds }: Limit) {
    const bucket = buckets.get(key)
    if (!bucket) return
    bucket.tokens = Math.min(count * scale, bucket.tokens + 1)
    bucket.fullAt -= (seconds * 1000) / (count * scale)
  }

  /** Forgets every budget whose key fits, as after a proof that stands above them; it looks at all of them. */
  function forget(fits: (key: string) => boolean) {
    for (const key of buckets.keys()) if (fits(key)) buckets.delete(key)
  }
  return { take, giveBack, forget }
}

/** What counts as one address: an IPv4 address, or an IPv6 network of 64 bits, which is what one household is given. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  const [head = '', tail] = ip.split('%')[0]!.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
