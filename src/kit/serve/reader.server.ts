import { withShownEmails } from '../mail/shownEmail.server.ts'
import { Failure } from '../failure.ts'
import { type Caller, isJsonText, type JsonHeaders, type Route } from '../handle.server.ts'
import type { ByteCache } from './cache.server.ts'
import { type Limiters, spend, spendHere, viewRefused } from './checks.server.ts'
import { keyOf, readInput } from './input.server.ts'
import { matcherOf } from './matcher.server.ts'
import { required } from '../values/required.ts'

export type ReadReply = { json: string; headers: JsonHeaders; until?: number | undefined }

/** Reads data for server-rendered pages: calls the routes without HTTP, within the same limits. */
export function createReader(routes: Route[], cache: ByteCache, limiters: Limiters) {
  const reads = routes
    .filter((route) => route.kind !== 'raw')
    .map((route) => ({ route, ...matcherOf(route.endpoint.line) }))
    .filter(({ method }) => method === 'GET')
  const fixed = new Map(reads.map((read) => [read.route.endpoint.line.slice('GET '.length), read]))
  function find(url: string) {
    const [path = ''] = url.split('?')
    return fixed.get(path) ?? reads.find(({ pattern }) => pattern.test(path))
  }

  /** Returns the channels that invalidate a public reply. Null for the reply to a member. */
  const channelsOf = (path: string): string[] | null => {
    const found = find(path)
    return found?.route.kind === 'cached' ? found.route.channels : null
  }

  /** Returns null if a public object does not exist. Throws the error of the call. */
  async function read(url: string, caller: Caller): Promise<ReadReply | null> {
    // during a view the browser renders these pages, because the server checks each call of the browser
    if (caller.user?.view) throw viewRefused()
    const found = find(url)
    if (!found) throw new Failure(404, 'Not found')
    const [path, search] = url.split('?')
    const values = found.pattern.exec(required(path, 'a path'))!.slice(1).map(decodeURIComponent)
    const params = Object.fromEntries(found.names.map((name, i) => [name, values[i]]))
    const query = Object.fromEntries(new URLSearchParams(search))
    const { route } = found
    const input = () => readInput(route.endpoint, { method: 'GET', params, query, body: undefined }) as never
    if (route.kind === 'cached') {
      spendHere(route.endpoint.line, route.limits, { user: null, ip: caller.ip }, limiters)
      const key = cache.keyOf(url, () => keyOf(route.endpoint, input()))
      const bytes = await cache.get(key, route.channels, async () => route.load(input(), caller))
      return bytes && { json: bytes.plain.toString(), headers: bytes.headers, until: bytes.until }
    }
    const { access, stepUp } = route.endpoint
    if ((access !== 'member' && access !== 'public') || stepUp) throw new Failure(403, 'Not allowed')
    await spend(route.endpoint.line, route.limits, caller, limiters)
    const reply = await route.run(input(), caller as never)
    if (isJsonText(reply)) return { json: withShownEmails(reply.json), headers: reply.headers ?? {} }
    return { json: withShownEmails(JSON.stringify(route.endpoint.reply.parse(reply))), headers: {} }
  }
  const channels = [...new Set(reads.flatMap(({ route }) => (route.kind === 'cached' ? route.channels : [])))]
  return { read, channelsOf, channels }
}
export type Reader = ReturnType<typeof createReader>
