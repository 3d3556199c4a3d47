import { createHmac, hkdfSync } from 'node:crypto'
import { networkOf as householdOf } from '../kit/serve/limit.server.ts'
import { isOutside } from '../kit/outside/outside.server.ts'

/** The IPv4 /24 or IPv6 /48 of a public address; null for other addresses, which identify no shopper. */
export function networkOf(ip: string): string | null {
  const address = householdOf(ip)
  // All requests share one private address behind an untrusted proxy and in tests.
  if (!isOutside(address.replace('/64', ''))) return null
  const [separator, parts, end] = address.includes(':') ? ([':', 3, '::/48'] as const) : (['.', 3, '.0/24'] as const)
  return address.split(separator).slice(0, parts).join(separator) + end
}

export type Fingerprints = ReturnType<typeof openFingerprints>

/** Hashes networks and payers with a key. They are only compared, so the plain values are never stored. */
export function openFingerprints(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'primo risk v1', 32))
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}:${text}`).digest('base64url').slice(0, 32)
  return {
    ofNetwork: (ip: string) => {
      const network = networkOf(ip)
      return network && hash('network', network)
    },
    ofInstrument: (payerId: string) => hash('instrument', payerId),
  }
}
