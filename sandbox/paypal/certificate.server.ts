import { createHash, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'

// A self-signed X.509 certificate in DER, for what Node has no call.

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const time = (date: Date) => tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

const COMMON_NAME = '550403'
const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), tlv(0x05))
const YEAR_MS = 365 * 86_400_000

const nameOf = (name: string) => sequence(tlv(0x31, sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(name)))))

/** Makes an RSA key and its certificate, both as PEM; valid for 20 years from yesterday. */
export async function createSigningKey(name: string): Promise<{ privateKey: string; certificate: string }> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' })
  const serial = createHash('sha256').update(publicKey).digest().subarray(0, 16)
  // a serial number is positive, so its first bit is 0, and without needless zeros in front
  serial[0] = (serial[0]! & 0x3f) | 0x40
  const now = Date.now()
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    SHA256_WITH_RSA,
    nameOf(name),
    sequence(time(new Date(now - 86_400_000)), time(new Date(now + 20 * YEAR_MS))),
    nameOf(name),
    publicKey,
  )
  const signature = sign('sha256', content, pair.privateKey)
  const der = sequence(content, SHA256_WITH_RSA, tlv(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}
