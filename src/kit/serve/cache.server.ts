import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Bus } from '../bus.server.ts'
import type { JsonHeaders, Remembered } from '../handle.server.ts'
import { dropOldest } from '../values/dropOldest.ts'
import { accepts } from './accepted.rules.ts'

export type Bytes = {
  etag: string
  plain: Buffer
  headers: JsonHeaders
  until?: number | undefined
  br?: Buffer
  gzip?: Buffer
}

const MAX_BYTES = 64 * 1024 * 1024
const MAX_ENTRIES = 5_000
const WORTH_PACKING = 1024
// memory of an entry without its text: the object, its headers, its map slot
const ENTRY_BYTES = 1024
const MAX_ALIAS_LENGTH = 512

export type Cache<Value extends { until?: number | undefined }> = ReturnType<typeof createCache<Value>>

/** Caches values until a NOTIFY on one of their channels. Above `mostBytes`, evicts the least recently used value. */
export function createCache<Value extends { until?: number | undefined }>(
  bus: Bus,
  bytesOf: (value: Value) => number,
  { mostBytes = MAX_BYTES } = {},
) {
  const entries = new Map<string, { value: Value; channels: string[]; cost: number }>()
  const loading = new Map<string, Promise<Value | null>>()
  const versions = new Map<string, number>()
  let size = 0

  function drop(key: string) {
    const entry = entries.get(key)
    if (entry) size -= entry.cost
    entries.delete(key)
  }

  function empty(channel: string) {
    versions.set(channel, (versions.get(channel) ?? 0) + 1)
    loading.clear()
    for (const [key, entry] of entries) if (entry.channels.includes(channel)) drop(key)
  }

  async function watch(channels: string[]) {
    for (const channel of channels) {
      if (versions.has(channel)) continue
      versions.set(channel, 0)
      await bus.listen(channel, () => empty(channel))
    }
  }

  const stateOf = (channels: string[]) => channels.map((channel) => versions.get(channel)).join()

  function get(key: string, channels: string[], load: () => Promise<Value | null>): Value | Promise<Value | null> {
    const entry = entries.get(key)
    if (entry && Date.now() < (entry.value.until ?? Infinity)) {
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    }
    const underWay = loading.get(key)
    if (underWay) return underWay
    const before = stateOf(channels)
    const promise = load()
      .then((value) => {
        // a change during the load makes this value stale
        if (value && bus.isUp() && before === stateOf(channels)) keep(key, channels, value)
        return value
      })
      .finally(() => {
        if (loading.get(key) === promise) loading.delete(key)
      })
    loading.set(key, promise)
    return promise
  }

  function keep(key: string, channels: string[], value: Value) {
    drop(key)
    const cost = ENTRY_BYTES + 2 * key.length + bytesOf(value)
    entries.set(key, { value, channels, cost })
    size += cost
    for (const oldest of entries.keys()) {
      if (size <= mostBytes && entries.size <= MAX_ENTRIES) break
      drop(oldest)
    }
  }

  return { get, watch, count: () => ({ entries: entries.size, bytes: size }) }
}

export type ByteCache = ReturnType<typeof createByteCache>

export function createByteCache(bus: Bus, options: { mostBytes?: number } = {}) {
  const { get, watch, count } = createCache(bus, bytesOf, options)
  const aliases = new Map<string, string>()

  /** Returns the key of a URL, cached. `read` throws for an invalid URL. */
  function keyOf(url: string, read: () => string): string {
    const known = aliases.get(url)
    if (known !== undefined) return known
    const key = read()
    if (url.length > MAX_ALIAS_LENGTH) return key
    if (aliases.size >= MAX_ENTRIES) dropOldest(aliases)
    aliases.set(url, key)
    return key
  }

  return {
    get: (key: string, channels: string[], load: () => Promise<Remembered | null>) =>
      get(key, channels, async () => {
        const text = await load()
        return text && encode(text)
      }),
    watch,
    keyOf,
    count: () => ({ ...count(), aliases: aliases.size }),
  }
}

/** Includes both compressed forms before they exist. Together they never exceed twice the text. */
const bytesOf = ({ plain }: Bytes) => plain.length * (plain.length < WORTH_PACKING ? 1 : 3)

/** Copies bytes. Small buffers and results of zlib are parts of larger blocks, which would stay in memory. */
export function own(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

export function encode({ json, headers = {}, until }: Remembered): Bytes {
  const plain = own(Buffer.from(json))
  return { plain, headers, until, etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

/** Returns the best compressed form that the client accepts. Compresses each form once. */
export function pack(bytes: Bytes, accepted: string): { body: Buffer; encoding?: 'br' | 'gzip' } {
  if (bytes.plain.length < WORTH_PACKING) return { body: bytes.plain }
  if (accepts(accepted, 'br')) {
    bytes.br ??= own(brotliCompressSync(bytes.plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }))
    return { body: bytes.br, encoding: 'br' }
  }
  if (accepts(accepted, 'gzip')) {
    bytes.gzip ??= own(gzipSync(bytes.plain, { level: 6 }))
    return { body: bytes.gzip, encoding: 'gzip' }
  }
  return { body: bytes.plain }
}
