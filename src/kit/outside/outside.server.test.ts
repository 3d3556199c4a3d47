import { expect, test } from 'vitest'
import { isOutside, lookupOutside } from './outside.server.ts'

test.each(['8.8.8.8', '142.250.1.95', '172.32.0.1', '100.128.0.1', '2606:4700::6810:85e5', '2a00:1450:4001::5f'])(
  'accepts the public address %s',
  (address) => expect(isOutside(address)).toBe(true),
)

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'not an address',
])('rejects the address %s', (address) => expect(isOutside(address)).toBe(false))

test('rejects a name that resolves to this machine', async () => {
  const error = await new Promise((done) => lookupOutside('localhost', {}, done))
  expect(String(error)).toContain('not a public address')
})
