import { createHmac, timingSafeEqual } from 'node:crypto'

// The session cookie holds the session's token and our signature over it, in the library's own form (token.base64, URL
// encoded), so that its endpoints read our cookies too. Without the secret a copied table of tokens opens nothing.

const FOURTEEN_DAYS = 14 * 24 * 3600

export type Cookies = ReturnType<typeof createCookies>

/** `isSecure` says whether customers come over https: only then will a browser keep a __Host- cookie. */
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

  /** The token of a Cookie header whose signature is ours, otherwise null. */
  function sessionToken(header: string | undefined): string | null {
    const [token, signature] = decode(readCookie(header, session)).split('.')
    if (!token || !signature) return null
    const given = Buffer.from(signature, 'base64')
    const own = signatureOf(token)
    return given.length === own.length && timingSafeEqual(given, own) ? token : null
  }

  /** The text of a cookie that `sealed` has made and nobody has changed, otherwise ''. */
  function opened(value: string, what = 'form'): string {
    const [body = '', signature = ''] = value.split('.')
    const [given, own] = [Buffer.from(signature, 'base64url'), signatureOf(`${what} ${body}`)]
    const isOurs = given.length === own.length && timingSafeEqual(given, own)
    return isOurs ? Buffer.from(body, 'base64url').toString('utf8') : ''
  }
  function sealed(text: string, what = 'form'): string {
    const body = Buffer.from(text).toString('base64url')
    return `${body}.${signatureOf(`${what} ${body}`).toString('base64url')}`
  }

  return {
    sessionName: session,
    sessionToken,
    /** The value of a Cookie header for this session. */
    sessionPair: (token: string) => `${session}=${pairOf(token)}`,
    // the browser keeps it for as long as a session can last; the server ends it earlier
    setSession: (token: string) => set(session, pairOf(token), FOURTEEN_DAYS),
    endSession: () => set(session, '', 0),
    /** What a form that was refused has to say, signed; '' when there is nothing. See refused.server.ts. */
    refusedOf: (header: string | undefined) => opened(readCookie(header, form)),
    setRefused: (text: string, seconds: number) => set(form, sealed(text), seconds),
    /** What this browser left for the identity provider with, signed; see oidcSignIn.server.ts. */
    journeyOf: (header: string | undefined) => opened(readCookie(header, journey), 'journey'),
    setJourney: (text: string, seconds: number) => set(journey, sealed(text, 'journey'), seconds),
    endJourney: () => set(journey, '', 0),
    /** Which sign-up this browser has begun; see signUps.server.ts. */
    signUpOf: (header: string | undefined) => readCookie(header, signUp),
    setSignUp: (value: string, seconds: number) => set(signUp, value, seconds),
    endSignUp: () => set(signUp, '', 0),
    /** Whose password was right, while the code is awaited; see challenges.server.ts. */
    challengeOf: (header: string | undefined) => readCookie(header, challenge),
    setChallenge: (value: string, seconds: number) => set(challenge, value, seconds),
    endChallenge: () => set(challenge, '', 0),
    /** Which challenge a passkey answers here; see passkeys.server.ts. */
    ceremonyOf: (header: string | undefined) => readCookie(header, ceremony),
    setCeremony: (value: string, seconds: number) => set(ceremony, value, seconds),
    /** This browser need not ask for a code; see secondFactors.server.ts. */
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
