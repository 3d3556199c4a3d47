import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { codeOf } from '../database.server.ts'
import { Failure } from '../failure.ts'
import { isOutside, lookupWhere, NOT_PUBLIC } from './outside.server.ts'

// Fetches a URL of a user, from the public Internet only. Checks each redirect like the first URL.

const MAX_REDIRECTS = 3
/** Idle timeout of the other server; shorter than the timeout of the request to the shop. */
const STILL_MS = 15_000

/** Decides which IP addresses and ports a URL may reach. */
export type Reach = { isAllowed: (address: string) => boolean; isPort: (port: number) => boolean }
export const PUBLIC: Reach = { isAllowed: isOutside, isPort: (port) => port === 80 || port === 443 }

export type FetchedResponse = { url: URL; response: IncomingMessage }

/** Resolves when the body begins. Destroy an unused `response`. Throws a Failure 400 that the user may see. */
export async function openOutside(address: string, { signal, reach = PUBLIC }: { signal: AbortSignal; reach?: Reach }) {
  let url = readAddress(address, reach)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await ask(url, signal, reach)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return { url, response } satisfies FetchedResponse
    response.destroy()
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
      throw new Failure(400, `The other server answered ${statusCode}.`, 'not_found_there')
    if (!URL.canParse(headers.location, url.href)) throw incorrect()
    url = readAddress(new URL(headers.location, url).href, reach)
  }
  throw new Failure(400, 'The other server redirects too many times.', 'too_many_redirects')
}

/** Checks IP addresses, because `lookup` checks only host names. */
function readAddress(address: string, { isAllowed, isPort }: Reach): URL {
  if (!URL.canParse(address)) throw incorrect()
  const url = new URL(address)
  const isTls = url.protocol === 'https:'
  if ((!isTls && url.protocol !== 'http:') || url.username || url.password) throw incorrect()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isPort(Number(url.port || (isTls ? 443 : 80))) || (isIP(host) && !isAllowed(host))) throw notPublic()
  return url
}

function ask(url: URL, signal: AbortSignal, { isAllowed }: Reach): Promise<IncomingMessage> {
  return new Promise((answer, refuse) => {
    const call = (url.protocol === 'https:' ? request : requestPlain)(url, {
      signal,
      agent: false,
      lookup: lookupWhere(isAllowed),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Mozilla/5.0 (compatible; file import)' },
    })
    const late = setTimeout(() => call.destroy(new Error('no answer')), STILL_MS)
    call.setTimeout(STILL_MS, () => call.destroy(new Error('stood still')))
    call.on('error', (error) => {
      clearTimeout(late)
      refuse(codeOf(error) === NOT_PUBLIC ? notPublic() : unreachable())
    })
    call.on('response', (response) => {
      clearTimeout(late)
      answer(response)
    })
    call.end()
  })
}

const incorrect = () =>
  new Failure(400, 'Incorrect URL: Please make sure you are entering a direct link to a file', 'not_an_address')
const notPublic = () => new Failure(400, 'This address doesn’t lead to a public server.', 'not_public')
const unreachable = () => new Failure(400, 'The other server didn’t respond.', 'unreachable')
