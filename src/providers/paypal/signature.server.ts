import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { createLimiter, type Limit, networkOf } from '../../kit/serve/limit.server.ts'
import { Unanswered } from '../../payments/outcome.ts'
import type { EventRequest } from '../../payments/provider.ts'
import { dropOldest } from '../../kit/values/dropOldest.ts'

// Verifies webhooks with PayPal's certificate and caches it. A forged event causes no request.

const ALGORITHM = 'SHA256withRSA'
const TIMEOUT_MS = 8_000
// PayPal retries an event for three days
const MAX_AGE_MS = 5 * 86_400_000
const MAX_CERTIFICATE = 64 * 1024
const MAX_KEPT = 8
// limited per network: invented certificate addresses must not use up PayPal's rate limit
const FETCHES: Limit = { per: 'address', count: 20, seconds: 60 }

/** The folder of PayPal's certificates: its URL in events and its URL for this process. */
export type CertificateFolder = { named: string; reached: string }

type CachedKey = { key: KeyObject; until: number }

// with a callback, Node verifies in its thread pool
const verifyAside = promisify(verify)

/** Checks an event's signature over its raw bytes. Throws Unanswered if the certificate cannot be fetched. */
export function createSignatureCheck(folders: CertificateFolder[], webhookId: string | undefined) {
  const kept = new Map<string, CachedKey>()
  const underWay = new Map<string, Promise<KeyObject | null>>()
  const limiter = createLimiter()

  /** Returns the URL of a certificate in one of PayPal's folders. Null for any other URL. */
  function addressOf(url: string): string | null {
    const folder = folders.find(({ named }) => url.startsWith(named))
    const name = folder && url.slice(folder.named.length)
    return name && /^[\w-][\w.-]{0,199}$/.test(name) ? folder.reached + name : null
  }

  async function fetchKey(address: string): Promise<KeyObject | null> {
    const pem = await fetchText(address)
    const certificate = pem === null ? null : readCertificate(pem)
    if (!certificate) return null
    const until = Date.parse(certificate.validTo)
    if (Date.parse(certificate.validFrom) > Date.now() || until < Date.now()) return null
    const key = certificate.publicKey
    if (kept.size >= MAX_KEPT) dropOldest(kept)
    kept.set(address, { key, until })
    return key
  }

  async function findKey(address: string, ip: string): Promise<KeyObject | null> {
    const known = kept.get(address)
    if (known && known.until > Date.now()) return known.key
    let fetching = underWay.get(address)
    if (!fetching) {
      if (limiter.take(networkOf(ip), FETCHES) > 0) throw new Unanswered('too many certificates were requested')
      fetching = fetchKey(address).finally(() => underWay.delete(address))
      underWay.set(address, fetching)
    }
    return fetching
  }

  return async ({ header, body, ip }: EventRequest): Promise<boolean> => {
    const [id, time, signature] = ['id', 'time', 'sig'].map((name) => header(`paypal-transmission-${name}`))
    const address = addressOf(header('paypal-cert-url') ?? '')
    if (!webhookId || !id || !time || !signature || !address) return false
    if (header('paypal-auth-algo') !== ALGORITHM) return false
    if (!(Math.abs(Date.now() - Date.parse(time)) < MAX_AGE_MS)) return false
    const key = await findKey(address, ip)
    if (!key) return false
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`)
    return verifyAside('sha256', signed, key, Buffer.from(signature, 'base64'))
  }
}

/** Null when there is no such certificate. */
async function fetchText(address: string): Promise<string | null> {
  let status: number
  let text: string
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    status = response.status
    text = await response.text()
  } catch (cause) {
    throw new Unanswered(`GET ${address}: no answer`, { cause })
  }
  if (status >= 500 || status === 429) throw new Unanswered(`GET ${address}: ${status}`)
  return status === 200 && text.length <= MAX_CERTIFICATE ? text : null
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    const certificate = new X509Certificate(pem)
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : null
  } catch {
    return null
  }
}
