import { expect, test } from 'vitest'
import { XPUB } from '../../../test/chain/chain.ts'
import { readConfig } from '../../app/settings.server.ts'

const GOOD = {
  CRYPTO_XPUB: XPUB,
  CRYPTO_RPC_URLS: 'https://one.example/key, https://two.example',
  CRYPTO_CHAIN: '8453',
  CRYPTO_TOKEN: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  CRYPTO_CONFIRMATIONS: '12',
}
const PRIVATE =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'

test('reads the USDC settings, or none when they are missing', () => {
  expect(readConfig({}).usdc).toBeUndefined()
  expect(readConfig(GOOD).usdc).toEqual({
    xpub: XPUB,
    rpcUrls: ['https://one.example/key', 'https://two.example'],
    chainId: 8453,
    token: GOOD.CRYPTO_TOKEN,
    confirmations: 12,
  })
})

test.each(Object.keys(GOOD))('does not start without %s, and the message names it', (name) => {
  expect(() => readConfig({ ...GOOD, [name]: '' })).toThrow(new RegExp(`^${name}: not set; give it beside CRYPTO_`))
})

test('rejects a private key and does not show it', () => {
  const read = () => readConfig({ ...GOOD, CRYPTO_XPUB: PRIVATE })
  expect(read).toThrow(/^CRYPTO_XPUB: this is a private key/)
  expect(read).not.toThrow(PRIVATE.slice(0, 20))
})

test('rejects a test network in production unless the sandbox is enabled', () => {
  const live = {
    ...GOOD,
    NODE_ENV: 'production',
    PAYPAL_CLIENT_ID: 'id',
    PAYPAL_CLIENT_SECRET: 's',
    CRYPTO_CHAIN: '84532',
  }
  expect(() => readConfig(live)).toThrow(/^CRYPTO_CHAIN: this is a test network/)
  expect(readConfig({ ...live, CRYPTO_CHAIN: '8453' }).usdc?.chainId).toBe(8453)
  expect(() => readConfig({ ...GOOD, PAYMENTS_SANDBOX: '1' })).toThrow(
    /^PAYMENTS_SANDBOX: the built-in sandbox refuses/,
  )
  expect(readConfig({ ...GOOD, CRYPTO_CHAIN: '84532' }).usdc?.chainId).toBe(84532)
})

test.each([
  ['CRYPTO_XPUB', 'xpub123'],
  ['CRYPTO_RPC_URLS', 'https://one.example'],
  ['CRYPTO_RPC_URLS', 'https://one.example,https://one.example'],
  ['CRYPTO_RPC_URLS', 'https://one.example,ftp://two.example/secret'],
  ['CRYPTO_CHAIN', 'base'],
  ['CRYPTO_CHAIN', '0'],
  ['CRYPTO_TOKEN', '0x123'],
  ['CRYPTO_CONFIRMATIONS', '0'],
])('rejects a wrong %s: %s', (name, value) => {
  expect(() => readConfig({ ...GOOD, [name]: value })).toThrow(new RegExp(`^${name}: `))
  if (value.includes('secret')) expect(() => readConfig({ ...GOOD, [name]: value })).not.toThrow(/secret/)
})
