import { expect, test } from 'vitest'
import { XPUB } from '../../../test/chain/chain.ts'
import { checksummed, isChecksummed, openWallet, readToken } from './address.server.ts'

test('derives the same addresses as a wallet with the same phrase', () => {
  const { addressAt } = openWallet(XPUB)
  // the standard first accounts of EVM test nodes
  expect([0, 1, 2].map(addressAt)).toEqual([
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ])
})

test('derives the same addresses from the key of the receiving branch', () => {
  const branch =
    'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4'
  expect(openWallet(branch).addressAt(7)).toBe(openWallet(XPUB).addressAt(7))
})

test('derives a different address for each index', () => {
  const { addressAt } = openWallet(XPUB)
  expect(new Set(Array.from({ length: 50 }, (_, i) => addressAt(i))).size).toBe(50)
})

test('rejects a damaged key and does not show it in the message', () => {
  const damaged = `${XPUB.slice(0, -1)}r`
  expect(() => openWallet(damaged)).toThrow(/^CRYPTO_XPUB: the value is damaged/)
  expect(() => openWallet(damaged)).not.toThrow(new RegExp(damaged))
})

test('writes and checks the checksum of an address', () => {
  const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(checksummed(good.toLowerCase())).toBe(good)
  expect([good, good.toLowerCase(), good.replace('5aA', '5aB'), good.slice(0, -1), 'x'].map(isChecksummed)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('accepts a token address in one case, and in mixed case only with its checksum', () => {
  const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  expect([readToken(token), readToken(token.toLowerCase())]).toEqual([token, token])
  expect(() => readToken(token.replace('fCD', 'FCD'))).toThrow(/^CRYPTO_TOKEN: the checksum/)
})
