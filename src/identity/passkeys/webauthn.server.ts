import { log } from '../../kit/log/log.server.ts'
import type { KeyProof, MadeKey } from './passkey.contract.ts'

// The rules of Web Authentication, by the library that is named here and nowhere else. It comes with the first passkey:
// loading it takes a tenth of a second.

const library = () => import('@simplewebauthn/server')

/** How long the browser waits for a finger; the challenge lives as long. */
export const CEREMONY_SECONDS = 5 * 60

/** EdDSA, ES256 and RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257]

export type KnownKey = { credentialId: string; publicKey: Buffer; counter: number }
export type Listed = { credentialId: string; transports: string }

export type Webauthn = ReturnType<typeof createWebauthn>

export function createWebauthn({ publicUrl, storeName }: { publicUrl: string; storeName: string }) {
  const { origin: expectedOrigin, hostname: rpID } = new URL(publicUrl)
  const timeout = CEREMONY_SECONDS * 1000
  const listed = (keys: Listed[]) =>
    keys.map(({ credentialId, transports }) => ({
      id: credentialId,
      ...(transports && { transports: transports.split(',') }),
    }))

  /** Options for a new key of this account; a device that has one of `known` makes no second. */
  async function toMake({ id, email }: { id: string; email: string }, known: Listed[]) {
    const { generateRegistrationOptions } = await library()
    return generateRegistrationOptions({
      rpName: storeName,
      rpID,
      userID: new TextEncoder().encode(id),
      userName: email,
      userDisplayName: email,
      timeout,
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: listed(known),
      // found without a name to sign in with, and opened by finger, face or PIN: so it is a second factor by itself
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** Options to show a key: one of `known`, or any of this shop. */
  async function toShow(known: Listed[] = []) {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID,
      timeout,
      userVerification: 'required',
      ...(known.length > 0 && { allowCredentials: listed(known) }),
    })
  }

  /** What to keep of a key that was just made; null when it is not what was asked for. */
  async function readMade({ id, transports, ...response }: MadeKey, expectedChallenge: string) {
    const { verifyRegistrationResponse } = await library()
    return orNull(async () => {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge,
        expectedOrigin,
        expectedRPID: rpID,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: true,
      })
      if (!verified) return null
      const { credential } = registrationInfo
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: transports.join(),
      }
    })
  }

  /** The key's counter when it has signed the challenge here; null otherwise, and when the counter has not gone on. */
  async function readProof({ id, ...response }: KeyProof, expectedChallenge: string, key: KnownKey) {
    const { verifyAuthenticationResponse } = await library()
    return orNull(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge,
        expectedOrigin,
        expectedRPID: rpID,
        credential: { id: key.credentialId, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
        requireUserVerification: true,
      })
      return verified ? authenticationInfo.newCounter : null
    })
  }

  return { toMake, toShow, readMade, readProof }
}

/** The library throws at whatever a client got wrong. */
async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    log.info('a passkey was refused', { why: error instanceof Error ? error.message : String(error) })
    return null
  }
}
