import { z } from 'zod'
import { address, type Given, needAll } from '../kit/config.server.ts'
import { operatorFailure } from '../kit/failure.ts'
import { isLoopback } from '../kit/loopback.ts'

export const IDENTITY_SETTINGS = {
  OIDC_ISSUER: address.optional().describe('the address of an identity provider, such as https://id.example'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe("the shop's client id at the identity provider"),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe("the shop's client secret at the identity provider"),
}

export type IdentityConfig = ReturnType<typeof resolveIdentity>

export function resolveIdentity(given: Given<typeof IDENTITY_SETTINGS>) {
  needAll(given, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  const { OIDC_ISSUER: issuer } = given
  if (issuer?.startsWith('http:') && !isLoopback(new URL(issuer).hostname))
    throw operatorFailure('OIDC_ISSUER: give an https address; anybody could answer another.')
  return {
    oidc: issuer ? { issuer, clientId: given.OIDC_CLIENT_ID!, clientSecret: given.OIDC_CLIENT_SECRET! } : undefined,
  }
}
