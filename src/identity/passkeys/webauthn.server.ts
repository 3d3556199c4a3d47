import { log } from '../../kit/log/log.server.ts'
import type { KeyProof, MadeKey } from './passkey.contract.ts'

// Loads the library at the first use of a passkey, because loading takes 0.1 s.

const library = () => import('@simplewebauthn/server')

export const CEREMONY_SECONDS = 5 * 60

const ALGORITHMS = [-8, -7, -257]

export type KnownKey = { credentialId: string; publicKey: Buffer; counter: number }
export type Listed = { credentialId: string; transports: string }

export function createWebauthn({ publicUrl, storeName }: { publicUrl: string; storeName: string }) {
  const { origin: expectedOrigin, hostname: rpID } = new URL(publicUrl)
  const timeout = CEREMONY_SECONDS * 1000
  const listed = (keys: Listed[]) =>
    keys.map(({ credentialId, transports }) => ({
      id: credentialId,
      ...(transports && { transports: transports.split(',') }),
    }))

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
      // usable without an address, and unlocked by finger, face or PIN: two factors in one
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  async function toShow(known: Listed[] = []) {
    const { generateAuthenticationOptions } = await library()
    return generateAuthenticationOptions({
      rpID,
      timeout,
      userVerification: 'required',
      ...(known.length > 0 && { allowCredentials: listed(known) }),
    })
  }

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

  /** Returns the new counter, or null for a wrong signature or a counter that did not increase. */
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

/** Returns null instead of an error, because the library throws on every invalid input of a client. */
async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    log.info('a passkey was refused', { why: error instanceof Error ? error.message : String(error) })
    return null
  }
}
