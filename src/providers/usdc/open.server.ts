import type { OpenedProvider, ProviderContext } from '../openProvider.server.ts'
import type { UsdcContext } from './usdc.server.ts'
import type { UsdcSettings } from './usdc.settings.server.ts'

type Opening = Pick<ProviderContext, 'config' | 'publicUrl'> & { database: Pick<ProviderContext['database'], 'db'> }

export async function openUsdcChain(settings: UsdcSettings) {
  const { xpub, rpcUrls, chainId, confirmations } = settings
  const [{ openWallet, readToken }, { openChain }, { openNode }] = await Promise.all([
    import('./address.server.ts'),
    import('./chain.server.ts'),
    import('./rpc.server.ts'),
  ])
  const wallet = openWallet(xpub)
  const token = readToken(settings.token)
  const nodes = rpcUrls.map((url) => openNode(url))
  const chain = openChain(nodes, { chainId, token, confirmations })
  return { chain, place: { chainId, token }, confirmations, wallet }
}

export async function openUsdcContext({ config, database: { db }, publicUrl }: Opening): Promise<UsdcContext | null> {
  if (!config.usdc) return null
  return { db, ...(await openUsdcChain(config.usdc)), mailing: { config, publicUrl } }
}

export async function openUsdc(context: ProviderContext): Promise<OpenedProvider | null> {
  const opened = await openUsdcContext(context)
  if (!opened) return null
  const [{ createUsdc }, { usdcJobs }] = await Promise.all([import('./usdc.server.ts'), import('./jobs.server.ts')])
  return { provider: createUsdc(opened), routes: [], jobs: usdcJobs(opened), stop: async () => undefined }
}
