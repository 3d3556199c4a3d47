import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { required } from '../../src/kit/values/required.ts'

// Checks AWS signatures (version 4) without the library that the shop signs with.

export type Keys = { key: string; secret: string; region: string }
type Refusal = { status: number; code: string; message: string }

const refusal = (status: number, code: string, message: string): Refusal => ({ status, code, message })
const ACCESS_DENIED = refusal(403, 'AccessDenied', 'Access Denied')
const WRONG = refusal(
  403,
  'SignatureDoesNotMatch',
  'The request signature we calculated does not match the signature you provided.',
)
const EXPIRED = refusal(403, 'AccessDenied', 'Request has expired')
const SKEW_MS = 15 * 60_000

export const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

export function checkSignature(request: IncomingMessage, url: URL, keys: Keys): Refusal | null {
  const inQuery = url.searchParams.has('X-Amz-Signature')
  const given = inQuery ? readQuery(url) : readHeader(request)
  if (!given) return ACCESS_DENIED
  const [id, day, region, service, end] = given.credential.split('/')
  if (id !== keys.key || region !== keys.region || service !== 's3' || end !== 'aws4_request') return ACCESS_DENIED
  const at = readTime(given.date)
  if (day !== given.date.slice(0, 8) || Number.isNaN(at)) return ACCESS_DENIED
  if (inQuery && Date.now() > at + given.seconds * 1000) return EXPIRED
  if (!inQuery && Math.abs(Date.now() - at) > SKEW_MS)
    return refusal(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the server time is too large.',
    )
  if (!given.names.includes('host')) return ACCESS_DENIED
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const headers = given.names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const path = decodeURIComponent(url.pathname).split('/').map(encode).join('/')
  const canonical = [request.method, path, query, headers, given.names.join(';'), given.payload].join('\n')
  const scope = [day, region, service, end].join('/')
  const toSign = ['AWS4-HMAC-SHA256', given.date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac(`AWS4${keys.secret}`, required(day, 'the day of the signature')),
  )
  const expected = hmac(key, toSign)
  const signature = Buffer.from(given.signature, 'hex')
  return /^[0-9a-f]{64}$/.test(given.signature) && timingSafeEqual(signature, expected) ? null : WRONG
}

type SignedRequest = {
  credential: string
  date: string
  names: string[]
  signature: string
  payload: string
  seconds: number
}

function readQuery({ searchParams }: URL): SignedRequest | null {
  const read = (name: string) => searchParams.get(`X-Amz-${name}`) ?? ''
  if (read('Algorithm') !== 'AWS4-HMAC-SHA256') return null
  const seconds = Number(read('Expires'))
  if (!(seconds >= 1 && seconds <= 604_800)) return null
  return {
    credential: read('Credential'),
    date: read('Date'),
    names: read('SignedHeaders').split(';'),
    signature: read('Signature'),
    payload: 'UNSIGNED-PAYLOAD',
    seconds,
  }
}

function readHeader({ headers }: IncomingMessage): SignedRequest | null {
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^\s,]+), ?SignedHeaders=([^\s,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const payload = headers['x-amz-content-sha256']
  if (!credential || typeof payload !== 'string') return null
  return {
    ...{
      credential,
      payload,
      names: required(names, 'the names').split(';'),
      signature: required(signature, 'the signature'),
    },
    date: String(headers['x-amz-date'] ?? ''),
    seconds: 0,
  }
}

const readTime = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
