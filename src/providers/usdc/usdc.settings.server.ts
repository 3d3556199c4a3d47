import { z } from 'zod'
import { type Config, type Given, needAll } from '../../kit/config.server.ts'
import { operatorFailure } from '../../kit/failure.ts'
import { isTestNetwork } from './units.rules.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const MAX_RPC_URLS = 5

export const USDC_SETTINGS = {
  CRYPTO_XPUB: z.string().min(1).optional().describe('the extended public key of an Ethereum account (xpub...)'),
  CRYPTO_RPC_URLS: z
    .string()
    .min(1)
    .optional()
    .describe('two or more JSON-RPC addresses of different operators, separated by commas'),
  CRYPTO_CHAIN: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('the number of an EVM chain, such as 8453 for Base'),
  CRYPTO_TOKEN: z.string().regex(ADDRESS).optional().describe('the address of the USDC contract on that chain (0x...)'),
  CRYPTO_CONFIRMATIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('the blocks after which a transfer counts, a whole number from 1 to 1000'),
}

export type UsdcSettings = {
  xpub: string
  rpcUrls: string[]
  chainId: number
  token: string
  confirmations: number
}
export type UsdcConfig = ReturnType<typeof resolveUsdc>

/** Production accepts a test network only with the sandbox enabled, because its money is free. */
type Around = { mode: Config['mode']; isSandboxWanted: boolean | undefined }

export function resolveUsdc(
  given: Given<typeof USDC_SETTINGS>,
  { mode, isSandboxWanted }: Around,
): { usdc: UsdcSettings | undefined } {
  needAll(given, ['CRYPTO_XPUB', 'CRYPTO_RPC_URLS', 'CRYPTO_CHAIN', 'CRYPTO_TOKEN', 'CRYPTO_CONFIRMATIONS'])
  const { CRYPTO_XPUB: xpub, CRYPTO_RPC_URLS: urls, CRYPTO_CHAIN: chainId, CRYPTO_TOKEN: token } = given
  const confirmations = given.CRYPTO_CONFIRMATIONS
  if (!xpub || !urls || !chainId || !token || !confirmations) return { usdc: undefined }
  // the message must not show the value: it may be a private key
  if (/^[a-z]prv/.test(xpub))
    throw operatorFailure(
      'CRYPTO_XPUB: this is a private key. Give the extended public key (xpub...), and move the money of that wallet.',
    )
  if (!/^xpub[1-9A-HJ-NP-Za-km-z]{107}$/.test(xpub))
    throw operatorFailure(
      'CRYPTO_XPUB: the value is no extended public key; it starts with xpub and has 111 characters.',
    )
  if (mode === 'production' && isTestNetwork(chainId) && !isSandboxWanted)
    throw operatorFailure(
      'CRYPTO_CHAIN: this is a test network, whose money is free. Give a real one, or PAYMENTS_SANDBOX=1.',
    )
  if (isSandboxWanted && !isTestNetwork(chainId))
    throw operatorFailure(
      'PAYMENTS_SANDBOX: the built-in sandbox refuses to run beside CRYPTO_XPUB; leave one of them out.',
    )
  return { usdc: { xpub, rpcUrls: readUrls(urls), chainId, token, confirmations } }
}

/** The URLs may contain API keys, so no message shows them. */
function readUrls(text: string): string[] {
  const urls = text
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean)
  if (urls.some((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)))
    throw operatorFailure('CRYPTO_RPC_URLS: one of the values is no http or https address.')
  if (new Set(urls).size < 2 || new Set(urls).size < urls.length || urls.length > MAX_RPC_URLS)
    throw operatorFailure(`CRYPTO_RPC_URLS: give 2 to ${MAX_RPC_URLS} different addresses, separated by commas.`)
  return urls
}
