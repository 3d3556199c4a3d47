import type { ClientAuth, Configuration } from 'openid-client'
import * as z from 'zod/mini'
import { isLoopback } from '../../kit/loopback.ts'
import { firstOf } from '../../kit/values/required.ts'

// OpenID Connect: authorization code flow with PKCE, state and nonce. Discovery runs at the first sign-in and again
// after a failure. A shop without a provider does not load the library.

const library = () => import('openid-client')
type Library = Awaited<ReturnType<typeof library>>

const TIMEOUT_SECONDS = 5
const SCOPE = 'openid email profile'

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string }

export type Journey = z.infer<typeof Journey>
export const Journey = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })

export type Claimed = {
  subject: string
  email: string
  isEmailVerified: boolean
  firstName: string | null
  lastName: string | null
}

export class ProviderAway extends Error {}
export class SignInRefused extends Error {}

export type Oidc = ReturnType<typeof createOidc>

export function createOidc({ issuer, clientId, clientSecret }: OidcSettings, redirectUri: string) {
  let known: Promise<Configuration> | null = null

  /** Sends the client secret in the header, unless the provider accepts only the body. */
  const authenticate =
    ({ ClientSecretBasic, ClientSecretPost }: Library): ClientAuth =>
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported
      const isByBody = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
      return (isByBody ? ClientSecretPost : ClientSecretBasic)(clientSecret)(server, ...rest)
    }

  function discover(): Promise<Configuration> {
    const url = new URL(issuer)
    const isLocal = url.protocol === 'http:' && isLoopback(url.hostname)
    known ??= library()
      .then((client) =>
        client.discovery(url, clientId, undefined, authenticate(client), {
          timeout: TIMEOUT_SECONDS,
          // also checks the signature of ID tokens, because TLS alone does not prove who issued them
          execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
        }),
      )
      .catch((error: unknown) => {
        known = null
        throw new ProviderAway(`${url.host}: ${reasonOf(error)}`)
      })
    return known
  }

  return {
    issuer,
    discover,

    async begin(returnTo: string): Promise<{ url: string; journey: Journey }> {
      const [client, configuration] = await Promise.all([library(), discover()])
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

    async finish(query: URLSearchParams, { state, nonce, verifier }: Journey): Promise<Claimed> {
      const [client, configuration] = await Promise.all([library(), discover()])
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
        throw isAway(client, error) ? new ProviderAway(reasonOf(error)) : new SignInRefused(reasonOf(error))
      }
    },
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** Returns the first line of the cause, which never contains the provider's response. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? firstOf(cause.message.split('\n')) : String(error)
}

function isAway({ ClientError, ResponseBodyError }: Library, error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= 500
  const code = error instanceof ClientError ? error.code : undefined
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || isNoAnswer(error)
}

const isNoAnswer = (error: unknown): boolean =>
  (error instanceof TypeError && /fetch failed/.test(error.message)) ||
  (error instanceof Error && error.cause !== undefined && isNoAnswer(error.cause))
