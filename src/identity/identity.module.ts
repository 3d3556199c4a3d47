import { HOLDS_SECONDS } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { openIdentity } from './identity.server.ts'
import type { IdentityConfig } from './identity.settings.server.ts'
import { checkIdentity } from './oidc/oidc.check.server.ts'
import type { Context } from './pages/context.server.ts'

type Needs = Kit<IdentityConfig> & Pick<Context, 'leaving' | 'updateSale'> & { locator: Pick<Context, 'countryOf'> }

export const identity = {
  async open({ config, database, bus, secret, publicUrl, locator, leaving, updateSale }: Needs) {
    const { countryOf } = locator
    const { oidc } = config
    const opened = await openIdentity({ config, database, bus, secret, publicUrl, countryOf, leaving, updateSale })
    return {
      routes: opened.routes,
      jobs: opened.jobs,
      checks: oidc ? [{ name: 'sign-in', look: () => checkIdentity(oidc), holdsSeconds: HOLDS_SECONDS }] : [],
      parts: { identity: opened },
    }
  },
} satisfies Module
