import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

// URLs of users and push services must lead to the public Internet, never to this machine or its network. The check
// uses the resolved address of the connection itself, so a second DNS response cannot bypass it.

/** In Azure, every machine reaches its host at this public address. */
const INSIDE_CLOUDS = new Set(['168.63.129.16'])

/** Returns true for an IP address of the public Internet, but not for an IPv6 address that embeds an IPv4 address. */
export function isOutside(address: string): boolean {
  if (!isIP(address) || INSIDE_CLOUDS.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Returns a `lookup` option of `request` that rejects a name if one of its addresses is not allowed. */
export const lookupWhere =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return done(Object.assign(new Error(`${hostname} is not a public address`), { code: NOT_PUBLIC }), '')
      if (options.all) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }

export const NOT_PUBLIC = 'NOT_PUBLIC'
export const lookupOutside = lookupWhere(isOutside)
