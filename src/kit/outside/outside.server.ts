import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

// Addresses that strangers name, such as those of push services, must lead outside: never to this machine or its
// neighbours. The check is made on the address that is connected to, so a name cannot change its mind in between.

/**
 * Whether an IP address belongs to the public Internet. Of IPv6 that is only what is given out to the public, and of that
 * nothing which stands for an IPv4 address.
 */
export function isOutside(address: string): boolean {
  if (!isIP(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GIVEN_OUT)
}
const GIVEN_OUT = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** For `request({ lookup })`: resolves a name, and refuses it when one of its addresses is not allowed. */
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
