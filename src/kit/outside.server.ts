import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

// Addresses that strangers name, such as those of push services, must lead outside: never to this machine or its
// neighbours. The check is made on the address that is connected to, so a name cannot change its mind in between.

const inside = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(network, bits, 'ipv4')

// of IPv6 only what is given out to the public, and of that nothing which stands for an IPv4 address
const outside6 = new BlockList()
outside6.addSubnet('2000::', 3, 'ipv6')
const inside6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inside6.addSubnet(network, bits, 'ipv6')

/** Whether an IP address belongs to the public Internet. */
export function isOutside(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !inside.check(address, 'ipv4')
  return version === 6 && outside6.check(address, 'ipv6') && !inside6.check(address, 'ipv6')
}

/** For `request({ lookup })`: resolves a name, and refuses it when any of its addresses is inside. */
export const lookupOutside: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '')
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isOutside(address)))
      return done(new Error(`${hostname} is not a public address`), '')
    if (options.all) return done(null, addresses)
    return done(null, first.address, first.family)
  })
}
