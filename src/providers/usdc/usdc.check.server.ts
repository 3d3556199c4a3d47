import type { Config } from '../../kit/config.server.ts'
import { Failure } from '../../kit/failure.ts'
import { fail, type Finding, ok, warn } from '../../kit/health/finding.rules.ts'
import type { Chain } from './chain.server.ts'
import { openUsdcChain } from './open.server.ts'
import { isTestNetwork, networkName } from './units.rules.ts'
import type { UsdcConfig } from './usdc.settings.server.ts'

/** Checks the configured nodes for the doctor. Returns nothing without USDC settings. */
export async function checkChain(
  { usdc, mode }: Pick<Config & UsdcConfig, 'usdc' | 'mode'>,
  opened?: Pick<Chain, 'head'>,
): Promise<Finding | null> {
  if (!usdc) return null
  try {
    const top = await (opened ?? (await openUsdcChain(usdc)).chain).head()
    const name = networkName(usdc.chainId)
    if (top.kind === 'away')
      return fail('USDC', top.why, 'let this machine reach every address of CRYPTO_RPC_URLS, or replace one')
    if (top.kind === 'disagreed')
      return fail('USDC', top.why, 'correct the CRYPTO_ settings, or replace the node that errs')
    if (top.missing.length > 0)
      return warn(
        'USDC',
        `${name}: no usable response from ${top.missing.join(' and ')}; the other nodes agree`,
        'replace it in CRYPTO_RPC_URLS: without one more node no payment is credited',
      )
    if (mode === 'production' && isTestNetwork(usdc.chainId))
      return warn('USDC', `${name}; no real money`, 'set CRYPTO_CHAIN and CRYPTO_TOKEN of a real network')
    return ok('USDC', `${name}: ${usdc.rpcUrls.length} nodes answer and agree, the newest block is ${top.number}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fail('USDC', error.message, 'correct it; Settings has a guide that checks each value')
  }
}
