import { fail, type Finding, messageOf, ok } from '../../kit/health/finding.rules.ts'
import type { IdentityConfig } from '../identity.settings.server.ts'
import { createOidc } from './provider.server.ts'

export async function checkIdentity(oidc: NonNullable<IdentityConfig['oidc']>): Promise<Finding> {
  try {
    await createOidc(oidc, 'http://localhost').discover()
    return ok('sign-in', `${new URL(oidc.issuer).host} answers`)
  } catch (error) {
    return fail('sign-in', messageOf(error), 'correct OIDC_ISSUER, or see whether it can be reached from here')
  }
}
