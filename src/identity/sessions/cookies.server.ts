import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kit/secret.server.ts'

// The session cookie contains the token and its HMAC (token.base64, URL encoded).

const FOURTEEN_DAYS = 14 * 24 * 3600

export type Cookies = ReturnType<typeof createCookies>

/** Browsers accept a __Host- cookie only over https (`isSecure`). */
export function createCookies({ secret, isSecure }: { secret: string; isSecure: boolean }) {
  const prefix = isSecure ? '__Host-' : ''
  const session = `${prefix}primo`
  const signatureOf = (token: string) => createHmac('sha256', secret).update(token).digest()

  const set = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  const pairOf = (token: string) => encodeURIComponent(`${token}.${signatureOf(token).toString('base64')}`)

  /** Returns null if the cookie is missing or its signature is wrong. */
  function sessionToken(header: string | undefined): string | null {
    const [token, signature] = decode(readCookie(header, session)).split('.')
    if (!token || !signature) return null
    return isSameSecret(Buffer.from(signature, 'base64'), signatureOf(token)) ? token : null
  }

  function plain(suffix: string) {
    const name = `${session}-${suffix}`
    return {
      of: (header: string | undefined) => readCookie(header, name),
      set: (value: string, seconds: number) => set(name, value, seconds),
      end: () => set(name, '', 0),
    }
  }

  /** A cookie with a signed text. Reads '' if the cookie was changed. */
  function signed(suffix: string) {
    const cookie = plain(suffix)
    const sign = (body: string) => signatureOf(`${suffix} ${body}`)
    return {
      of: (header: string | undefined) => {
        const [body = '', signature = ''] = cookie.of(header).split('.')
        const isOurs = isSameSecret(Buffer.from(signature, 'base64url'), sign(body))
        return isOurs ? Buffer.from(body, 'base64url').toString('utf8') : ''
      },
      set: (text: string, seconds: number) => {
        const body = Buffer.from(text).toString('base64url')
        return cookie.set(`${body}.${sign(body).toString('base64url')}`, seconds)
      },
      end: cookie.end,
    }
  }

  return {
    sessionName: session,
    sessionToken,
    sessionPair: (token: string) => `${session}=${pairOf(token)}`,
    // the maximum lifetime of a session; the server ends it earlier
    setSession: (token: string) => set(session, pairOf(token), FOURTEEN_DAYS),
    endSession: () => set(session, '', 0),
    refused: signed('form'),
    journey: signed('journey'),
    signUp: plain('sign-up'),
    challenge: plain('sign-in'),
    ceremony: plain('passkey'),
    device: plain('device'),
    trusted: plain('trusted'),
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
