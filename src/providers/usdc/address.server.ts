import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { operatorFailure } from '../../kit/failure.ts'
import { required } from '../../kit/values/required.ts'

// Derives the shop's addresses from the operator's extended public key. The shop never has a private key.

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export function checksummed(address: string): string {
  const plain = address.slice(2).toLowerCase()
  const hash = hexOf(keccak_256(Buffer.from(plain)))
  return `0x${[...plain].map((letter, i) => (Number.parseInt(required(hash[i], 'a digit of the hash'), 16) >= 8 ? letter.toUpperCase() : letter)).join('')}`
}

/** Checks the checksum in the letter case of an address, which detects typing errors. */
export const isChecksummed = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text) && checksummed(text) === text

/** Returns the last 20 bytes of the hash of the public key without its format byte. */
function addressOf(publicKey: Uint8Array): string {
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
  return checksummed(`0x${hexOf(keccak_256(point.subarray(1)).slice(-20))}`)
}

/** The depth of m/44'/60'/0'/0, the parent of all addresses. */
const RECEIVING_DEPTH = 4

/**
 * Derives addresses as wallets do: from an account key (m/44'/60'/0') by 0/index, from the key of the receiving branch
 * by index. Throws an operator's Failure for anything else, especially for a private key.
 */
export function openWallet(xpub: string): { addressAt: (index: number) => string } {
  const root = readKey(xpub)
  if (root.privateKey) throw operatorFailure('CRYPTO_XPUB: this is a private key. Give the extended public key.')
  const branch = root.depth === RECEIVING_DEPTH ? root : root.deriveChild(0)
  return { addressAt: (index) => addressOf(required(branch.deriveChild(index).publicKey, 'the public key')) }
}

function readKey(xpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    // the message of the library may contain the key
    throw operatorFailure(
      'CRYPTO_XPUB: the value is damaged: its checksum does not fit. Copy it from the wallet again.',
    )
  }
}

/** Normalizes the address of the token contract. Mixed case requires a valid checksum. */
export function readToken(text: string): string {
  const isMixed = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text.slice(2))
  if (isMixed && !isChecksummed(text))
    throw operatorFailure('CRYPTO_TOKEN: the checksum of the address does not fit. Copy it again.')
  return checksummed(text)
}
