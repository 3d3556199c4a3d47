import * as client from 'openid-client'
import * as z from 'zod/mini'
import { isLoopback } from '../../kit/loopback.ts'

// An identity provider of somebody else's (OpenID Connect), named here and nowhere else: authorization code with PKCE,
// state and nonce. What it publishes about itself is read when it is needed first, and again after it was away.

const PATIENCE_SECONDS = 5
const SCOPE = 'openid email profile'

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string }

/** What the browser keeps between leaving for the provider and coming back. */
export type Journey = z.infer<typeof Journey>
export const Journey = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })

export type Claimed = {
  /** Who it is at the provider, for ever. */
  subject: string
  email: string
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
}

/** The provider does not answer: another try later may help. */
export class ProviderAway extends Error {}
/** It did answer, and says no; or what came back is not what was asked for. */
export class SignInRefused extends Error {}

export type Oidc = ReturnType<typeof createOidc>

export function createOidc({ issuer, clientId, clientSecret }: OidcSettings, redirectUri: string) {
  let known: Promise<client.Configuration> | null = null

  /** By the header unless the provider says that it reads the body alone. */
  const authenticate: client.ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isByBody = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isByBody ? client.ClientSecretPost : client.ClientSecretBasic)(clientSecret)(server, ...rest)
  }

  /** What the provider says of itself. Throws ProviderAway; it is asked again then. */
  function discover(): Promise<client.Configuration> {
    const url = new URL(issuer)
    const isLocal = url.protocol === 'http:' && isLoopback(url.hostname)
    known ??= client
      .discovery(url, clientId, undefined, authenticate, {
        timeout: PATIENCE_SECONDS,
        ...(isLocal && { execute: [client.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        known = null
        throw new ProviderAway(`${url.host}: ${reasonOf(error)}`)
      })
    return known
  }

  return {
    issuer,
    discover,

    /** Where to send the browser, and what it has to bring back. */
    async begin(returnTo: string): Promise<{ url: string; journey: Journey }> {
      const configuration = await discover()
      const verifier = client.randomPKCECodeVerifier()
      const journey = { state: client.randomState(), nonce: client.randomNonce(), verifier, returnTo }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, journey }
    },

    /** Who came back, with the query that the provider sent along. Throws ProviderAway or SignInRefused. */
    async finish(query: URLSearchParams, { state, nonce, verifier }: Journey): Promise<Claimed> {
      const configuration = await discover()
      const url = new URL(redirectUri)
      url.search = query.toString()
      try {
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        const isWhole = claims.email !== undefined && claims.email_verified !== undefined
        const told = isWhole ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        return {
          subject: claims.sub,
          email: textOf(told.email) ?? '',
          isEmailVerified: told.email_verified === true,
          firstName: textOf(told.given_name),
          lastName: textOf(told.family_name),
        }
      } catch (error) {
        throw isAway(error) ? new ProviderAway(reasonOf(error)) : new SignInRefused(reasonOf(error))
      }
    },
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** In words that hold nothing of the answer. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message.split('\n')[0]! : String(error)
}

function isAway(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500
  const code = error instanceof client.ClientError ? error.code : undefined
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || isNoAnswer(error)
}

/** What fetch throws when nobody is there. */
const isNoAnswer = (error: unknown): boolean =>
  (error instanceof TypeError && /fetch failed/.test(error.message)) ||
  (error instanceof Error && error.cause !== undefined && isNoAnswer(error.cause))
