import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kit/secret.server.ts'

// The session cookie is the token and its HMAC (token.base64, URL encoded), so a copied table of sessions opens nothing.

const FOURTEEN_DAYS = 14 * 24 * 3600

export type Cookies = ReturnType<typeof createCookies>

/** Browsers accept a __Host- cookie only over https (`isSecure`). */
export function createCookies({ secret, isSecure }: { secret: string; isSecure: boolean }) {
  const prefix = isSecure ? '__Host-' : ''
  const session = `${prefix}primo`
  const signUp = `${prefix}primo-sign-up`
  const challenge = `${prefix}primo-sign-in`
  const trusted = `${prefix}primo-trusted`
  const form = `${prefix}primo-form`
  const journey = `${prefix}primo-journey`
  const ceremony = `${prefix}primo-passkey`
  const signatureOf = (token: string) => createHmac('sha256', secret).update(token).digest()

  const set = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  const pairOf = (token: string) => encodeURIComponent(`${token}.${signatureOf(token).toString('base64')}`)

  /** Null for a missing cookie or a wrong signature. */
  function sessionToken(header: string | undefined): string | null {
    const [token, signature] = decode(readCookie(header, session)).split('.')
    if (!token || !signature) return null
    return isSameSecret(Buffer.from(signature, 'base64'), signatureOf(token)) ? token : null
  }

  /** The text of a cookie value made by `sealed`, or '' when it was changed. */
  function opened(value: string, what = 'form'): string {
    const [body = '', signature = ''] = value.split('.')
    const isOurs = isSameSecret(Buffer.from(signature, 'base64url'), signatureOf(`${what} ${body}`))
    return isOurs ? Buffer.from(body, 'base64url').toString('utf8') : ''
  }
  function sealed(text: string, what = 'form'): string {
    const body = Buffer.from(text).toString('base64url')
    return `${body}.${signatureOf(`${what} ${body}`).toString('base64url')}`
  }

  return {
    sessionName: session,
    sessionToken,
    sessionPair: (token: string) => `${session}=${pairOf(token)}`,
    // the longest life of a session; the server ends it earlier
    setSession: (token: string) => set(session, pairOf(token), FOURTEEN_DAYS),
    endSession: () => set(session, '', 0),
    /** The problems of a refused form, signed; see form.server.ts. */
    refusedOf: (header: string | undefined) => opened(readCookie(header, form)),
    setRefused: (text: string, seconds: number) => set(form, sealed(text), seconds),
    /** The state of a sign-in at an identity provider, signed; see oidc.server.ts. */
    journeyOf: (header: string | undefined) => opened(readCookie(header, journey), 'journey'),
    setJourney: (text: string, seconds: number) => set(journey, sealed(text, 'journey'), seconds),
    endJourney: () => set(journey, '', 0),
    /** The sign-up this browser began; see signUp.store.server.ts. */
    signUpOf: (header: string | undefined) => readCookie(header, signUp),
    setSignUp: (value: string, seconds: number) => set(signUp, value, seconds),
    endSignUp: () => set(signUp, '', 0),
    /** The token of a sign-in that waits for a code; see finishSignIn.server.ts. */
    challengeOf: (header: string | undefined) => readCookie(header, challenge),
    setChallenge: (value: string, seconds: number) => set(challenge, value, seconds),
    endChallenge: () => set(challenge, '', 0),
    /** The token of a passkey ceremony; see passkey.store.server.ts. */
    ceremonyOf: (header: string | undefined) => readCookie(header, ceremony),
    setCeremony: (value: string, seconds: number) => set(ceremony, value, seconds),
    /** A trusted browser skips the code; see secondFactor.store.server.ts. */
    trustedOf: (header: string | undefined) => readCookie(header, trusted),
    setTrusted: (value: string, seconds: number) => set(trusted, value, seconds),
  }
}

function readCookie(header: string | undefined, name: string): string {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
