import { existsSync } from 'node:fs'
import type { Config } from '../../src/app/settings.server.ts'
import { isLoopback } from '../../src/kit/loopback.ts'
import { secretFile } from './connection.ts'
import { fail, type Finding, ok, warn } from '../../src/monitoring/health/finding.rules.ts'

export function checkSecret(config: Pick<Config, 'givenSecret' | 'mode' | 'databaseUrl' | 'dataDir'>): Finding {
  if (config.givenSecret) return ok('secret', 'given')
  const kept = secretFile(config)
  const says = existsSync(kept) ? `kept in ${kept}` : `made on the first start, in ${kept}`
  if (config.mode !== 'production') return ok('secret', says)
  if (config.databaseUrl)
    return fail('secret', 'not given', 'set SECRET to 32 or more characters, the same on every machine')
  return warn('secret', says, 'set SECRET and keep a copy elsewhere: without it sold codes cannot be read')
}

type Address = Pick<Config, 'publicUrl' | 'mode' | 'isProxyTrusted' | 'port'>

export function checkAddress({ publicUrl, mode, isProxyTrusted, port }: Address): Finding {
  const isLive = mode === 'production'
  if (!publicUrl) {
    if (!isLive) return ok('address', `http://localhost:${port} (PUBLIC_URL is not set)`)
    return fail(
      'address',
      'PUBLIC_URL is not set',
      'set it to the https address customers use: links in mails and cookies need it',
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  const isHere = isLoopback(hostname)
  if (protocol === 'https:') {
    if (isProxyTrusted || isHere) return ok('address', publicUrl)
    return warn(
      'address',
      `${publicUrl}, but TRUST_PROXY is 0: all customers behind the TLS proxy share one rate limit`,
      'let the proxy overwrite X-Forwarded-For and set TRUST_PROXY=1',
    )
  }
  if (isHere)
    return isLive
      ? warn('address', `${publicUrl} is for this machine alone`, 'set PUBLIC_URL')
      : ok('address', publicUrl)
  return fail(
    'address',
    `${publicUrl} is not TLS: passwords and sessions travel unencrypted`,
    'put a TLS proxy in front, set PUBLIC_URL to https://...',
  )
}

const TIMEOUT_MS = 5000

/** Warns if the public address does not answer. Some routers hide it from this machine, so it never fails. */
export async function checkReach({ publicUrl }: Pick<Config, 'publicUrl'>, nodes: number): Promise<Finding> {
  if (nodes === 0) return ok('shop', 'not running at the moment')
  const says = nodes === 1 ? 'one node runs' : `${nodes} nodes run`
  if (!publicUrl) return ok('shop', says)
  try {
    const answer = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    if (answer.ok) return ok('shop', `${says}, ${publicUrl} answers`)
    return warn(
      'shop',
      `${says}, but ${publicUrl}/readyz answers ${answer.status}`,
      'check where the proxy sends requests',
    )
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return warn(
      'shop',
      `${says}, but ${publicUrl} does not answer from here (${cause?.code ?? (error as Error).name})`,
      'look at DNS, the certificate and the proxy, from outside too',
    )
  }
}
