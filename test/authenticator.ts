import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { KeyProof, MadeKey } from '../src/identity/passkeys/passkey.contract.ts'

// A passkey device in software. It sends the data of a browser, or the wrong data of an attacker or a copied key.

const UP = 1
const UV = 4
const AT = 64

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')
/** Encodes a byte string of up to 65,535 bytes as CBOR. */
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes])

type Lies = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number; type?: string }

type Stored = { id: string; privateKey: KeyObject }

/** Without `countsUp` the counter stays 0, like that of a synced passkey. `stored` replaces the random key. */
export function newAuthenticator(
  url: string,
  { countsUp = true, stored }: { countsUp?: boolean; stored?: Stored } = {},
) {
  const { origin, hostname } = new URL(url)
  const { privateKey } = stored ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = createPublicKey(privateKey)
  const id = stored ? Buffer.from(stored.id, 'base64url') : randomBytes(32)
  let counter = 0
  let userHandle = ''

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({ type: lies.type ?? type, challenge, origin: lies.origin ?? origin, crossOrigin: false }),
    )

  function authenticatorData(lies: Lies, attested = Buffer.alloc(0)) {
    if (countsUp) counter += 1
    const head = Buffer.alloc(5)
    head[0] = UP | (lies.isVerified === false ? 0 : UV) | (attested.length > 0 ? AT : 0)
    head.writeUInt32BE(lies.counter ?? counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? hostname), head, attested])
  }

  /** Creates the key for the server's registration options. */
  function make(options: Record<string, unknown>, lies: Lies = {}): MadeKey {
    userHandle = (options.user as { id: string }).id
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')])
    // kty EC2, alg ES256, crv P-256, x, y
    const cose = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), point(0x21, x), point(0x22, y)])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      cborBytes(authenticatorData(lies, attested)),
    ])
    return {
      id: text(id),
      clientDataJSON: text(clientData('webauthn.create', String(options.challenge), lies)),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    }
  }

  /** Signs in for the server's sign-in options. */
  function show(options: Record<string, unknown>, lies: Lies = {}): KeyProof {
    const client = clientData('webauthn.get', String(options.challenge), lies)
    const data = authenticatorData(lies)
    return {
      id: text(id),
      clientDataJSON: text(client),
      authenticatorData: text(data),
      signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      ...(userHandle && { userHandle }),
    }
  }

  return { make, show }
}
