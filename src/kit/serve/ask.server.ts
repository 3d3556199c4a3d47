import { Failure } from '../failure.ts'
import { type Caller, isJsonText, type JsonHeaders, type Route } from '../handle.server.ts'
import type { ByteCache } from './cache.server.ts'
import { keyOf, readInput } from './input.server.ts'
import { matcherOf } from './matcher.server.ts'

export type Told = { json: string; headers: JsonHeaders }

/** Reads for pages that the server draws: the same routes as over HTTP, without HTTP. */
export function createAsk(routes: Route[], cache: ByteCache) {
  const reads = routes
    .filter((route) => route.kind !== 'raw')
    .map((route) => ({ route, ...matcherOf(route.endpoint.line) }))
    .filter(({ method }) => method === 'GET')
    // a fixed path goes before one with an id
    .toSorted((a, b) => a.names.length - b.names.length)
  const find = (path: string) => reads.find(({ pattern }) => pattern.test(path.split('?')[0]!))

  /** The channels that change a public answer; null for an answer to one member. */
  const channelsOf = (path: string): string[] | null => {
    const found = find(path)
    return found?.route.kind === 'cached' ? found.route.channels : null
  }

  /** Null for a public object that does not exist. Throws what the call throws. */
  async function ask(url: string, caller: Caller): Promise<Told | null> {
    const found = find(url)
    if (!found) throw new Failure(404, 'Not found')
    const [path, search] = url.split('?')
    const values = found.pattern.exec(path!)!.slice(1).map(decodeURIComponent)
    const params = Object.fromEntries(found.names.map((name, i) => [name, values[i]]))
    const query = Object.fromEntries(new URLSearchParams(search))
    const { route } = found
    const read = () => readInput(route.endpoint, { method: 'GET', params, query, body: undefined }) as never
    if (route.kind === 'cached') {
      const key = cache.keyOf(url, () => keyOf(route.endpoint, read()))
      const bytes = await cache.get(key, route.channels, async () => route.load(read(), caller))
      return bytes && { json: bytes.plain.toString(), headers: bytes.headers }
    }
    if (route.endpoint.access !== 'member' && route.endpoint.access !== 'public') throw new Failure(403, 'Not allowed')
    const reply = await route.run(read(), caller as never)
    if (isJsonText(reply)) return { json: reply.json, headers: reply.headers ?? {} }
    return { json: JSON.stringify(route.endpoint.reply.parse(reply)), headers: {} }
  }
  return { ask, channelsOf }
}
export type Asking = ReturnType<typeof createAsk>
