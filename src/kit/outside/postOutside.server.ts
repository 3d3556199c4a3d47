import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { codeOf } from '../database.server.ts'
import { isLoopback } from '../loopback.ts'
import { isOutside, lookupOutside, NOT_PUBLIC } from './outside.server.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER = 2000

/**
 * Returns why the shop must not send requests to a member's address, or undefined. `isLocal`: the shop runs on a
 * developer's machine and may also call servers on this machine without TLS.
 */
export function problemOfAddress(address: string, isLocal = false): string | undefined {
  if (!URL.canParse(address)) return 'This is not an address.'
  const { protocol, hostname, port, username, password } = new URL(address)
  if (username || password) return 'The address must not contain a password.'
  if (isLocal && isLoopback(hostname)) return undefined
  if (protocol !== 'https:') return 'The address must begin with https://.'
  const host = hostname.replace(/^\[|\]$/g, '')
  if ((port && port !== '443') || (isIP(host) && !isOutside(host)))
    return 'This address doesn’t lead to a public server.'
  return undefined
}

type PostTerms = {
  headers: Record<string, string>
  body: string
  /** Maximum length of the stored response, in characters. */
  mostAnswer?: number
  isLocal?: boolean
}

export type Posted = { status: number | null; answer: string; milliseconds: number }

/**
 * Posts to a URL of a member, on a public server only: checks the resolved address of the connection. Follows no
 * redirect. Never rejects: without a response, `status` is null and `answer` contains the reason.
 */
export async function postOutside(
  address: string,
  { headers, body, mostAnswer = MAX_ANSWER, isLocal = false }: PostTerms,
): Promise<Posted> {
  const begun = performance.now()
  const ended = (status: number | null, answer: string): Posted => ({
    status,
    // PostgreSQL cannot store NUL in text
    answer: answer.replaceAll('\0', '').slice(0, mostAnswer),
    milliseconds: Math.round(performance.now() - begun),
  })
  const problem = problemOfAddress(address, isLocal)
  if (problem) return ended(null, problem)
  const url = new URL(address)
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS), agent: false }
  return new Promise((done) => {
    const call =
      isLocal && url.protocol === 'http:'
        ? requestPlain(url, options)
        : request(url, { ...options, lookup: lookupOutside })
    call.on('response', (response) => {
      let text = ''
      const finish = () => done(ended(response.statusCode ?? null, text))
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length >= mostAnswer) response.destroy()
      })
      response.on('close', finish)
      // the status is valid even if the rest of the response is lost
      response.on('error', finish)
    })
    call.on('error', (error) => done(ended(null, reasonOf(error))))
    call.end(body)
  })
}

function reasonOf(error: Error): string {
  if (codeOf(error) === NOT_PUBLIC) return 'This address doesn’t lead to a public server.'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer in ${TIMEOUT_MS / 1000} s.`
  return `The server didn’t respond${codeOf(error) && ` (${codeOf(error)})`}.`
}
