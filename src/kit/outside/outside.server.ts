import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

// URLs from users and push services must lead to the public Internet, never to this machine or its network. The check runs
// on the resolved address of the connection itself, so DNS cannot change the answer in between.

/** A public address at which every machine of Azure reaches its host. */
const INSIDE_CLOUDS = new Set(['168.63.129.16'])

/** True for an IP address of the public Internet. IPv6 addresses that embed an IPv4 address are excluded. */
export function isOutside(address: string): boolean {
  if (!isIP(address) || INSIDE_CLOUDS.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** For `request({ lookup })`: refuses a name if one of its addresses is not allowed. */
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
