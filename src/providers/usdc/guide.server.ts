import { type Config, readSettings } from '../../kit/config.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { postOutside } from '../../kit/outside/postOutside.server.ts'
import { checkUsdc, type Guide, GUIDE_SETTINGS, type GuideSetting } from './guide.contract.ts'
import { giveTestAddress, transfersTo } from './transfers.store.server.ts'
import { formatUnits, networkName, transferUri } from './units.rules.ts'
import { resolveUsdc, USDC_SETTINGS, type UsdcConfig, type UsdcSettings } from './usdc.settings.server.ts'
import { firstOf } from '../../kit/values/required.ts'

type GuideSettings = Partial<Record<GuideSetting, string | undefined>>
type Check = Guide['checks'][number]

const TEST_UNITS = 10_000
const MAX_APART = 30

export const guideRoutes = ({ config }: { config: Pick<Config, 'mode'> & UsdcConfig }): Route[] => [
  handle(checkUsdc, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, async (given, { db }) => {
    const isDraft = Object.values(given).some((value) => value)
    if (isDraft) return { ...(await checkDraft(given, config.mode)), isConfigured: false, test: null }
    if (!config.usdc) return { isConfigured: false, checks: checksOf({}), firstAddress: null, test: null }
    const checked = await checkAll(config.usdc)
    const test = checked.firstAddress && (await watchTest(db, config.usdc, checked.firstAddress))
    return { ...checked, isConfigured: true, test: test || null }
  }),
]

const MISSING = 'Not set yet.'

const checksOf = (found: Partial<Record<GuideSetting, Omit<Check, 'name'>>>): Check[] =>
  GUIDE_SETTINGS.map((name) => ({ name, ...(found[name] ?? { state: 'missing', says: MISSING }) }))

type Checked = Pick<Guide, 'checks' | 'firstAddress'>

async function checkDraft(given: GuideSettings, mode: Config['mode']): Promise<Checked> {
  try {
    const { usdc } = resolveUsdc(readSettings(USDC_SETTINGS, given), { mode, isSandboxWanted: false })
    return await checkAll(usdc!, mode === 'test' ? fetch : fetchOutside)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { checks: checksOf(problemOf(error, given)), firstAddress: null }
  }
}

/** Maps an error to its setting: the message starts with the name. The other settings get no verdict. */
function problemOf({ message }: Failure, given: GuideSettings): Partial<Record<GuideSetting, Omit<Check, 'name'>>> {
  const wrong = GUIDE_SETTINGS.find((name) => message.startsWith(`${name}: `))
  const rest = GUIDE_SETTINGS.filter((name) => given[name]).map((name) => [
    name,
    { state: 'missing' as const, says: 'Checked once the others fit.' },
  ])
  if (!wrong) throw new Error(message)
  const says = message.slice(wrong.length + 2)
  return { ...Object.fromEntries(rest), [wrong]: { state: given[wrong] ? 'bad' : 'missing', says } }
}

/** Allows public servers only, because a draft may contain any URL. */
const fetchOutside = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const headers = { 'content-type': 'application/json' }
  const { status, answer } = await postOutside(String(url), { headers, body: String(init?.body) })
  if (status === null) throw new Error(answer)
  return new Response(answer, { status: status >= 200 ? status : 502 })
}

async function checkAll(settings: UsdcSettings, asked: typeof fetch = fetch): Promise<Checked> {
  const { openWallet, readToken } = await import('./address.server.ts')
  const { openNode } = await import('./rpc.server.ts')
  const { xpub, chainId, rpcUrls, confirmations } = settings
  const firstAddress = openWallet(xpub).addressAt(0)
  const token = readToken(settings.token)
  const nodes = await Promise.all(
    rpcUrls.map(async (url) => {
      const node = openNode(url, asked)
      const read = async <T>(ask: Promise<T>): Promise<T | null> => ask.catch(() => null)
      const id = await read(node.chainId())
      const head = id === null ? null : await read(node.head())
      const [decimals, symbol] =
        id === chainId ? await Promise.all([read(node.decimals(token)), read(node.symbol(token))]) : [null, null]
      return { host: node.host, id, head, decimals, symbol }
    }),
  )
  const checks = checksOf({
    CRYPTO_XPUB: { state: 'ok', says: 'A public key; nobody can spend with it.' },
    CRYPTO_RPC_URLS: evaluateNodes(nodes),
    CRYPTO_CHAIN: evaluateChain(nodes, chainId),
    CRYPTO_TOKEN: evaluateToken(nodes),
    CRYPTO_CONFIRMATIONS: { state: 'ok', says: `A payment counts after ${confirmations} blocks.` },
  })
  return { checks, firstAddress }
}

type Probed = { host: string; id: number | null; head: number | null; decimals: number | null; symbol: string | null }
type Judged = Omit<Check, 'name'>

function evaluateNodes(nodes: Probed[]): Judged {
  const away = nodes.filter(({ head }) => head === null).map(({ host }) => host)
  if (away.length > 0) return { state: 'bad', says: `${away.join(' and ')} gives no answer.` }
  const heads = nodes.map(({ head }) => head!)
  const apart = Math.max(...heads) - Math.min(...heads)
  const hosts = nodes.map(({ host }) => host)
  if (new Set(hosts).size < hosts.length) {
    const says = 'They answer, but they are one operator’s. Two that are independent notice when one of them errs.'
    return { state: 'bad', says }
  }
  if (apart > MAX_APART) return { state: 'bad', says: `They are ${apart} blocks apart.` }
  return { state: 'ok', says: `${hosts.join(' and ')} answer and agree. The newest block is ${Math.min(...heads)}.` }
}

function evaluateChain(nodes: Probed[], chainId: number): Judged {
  const other = nodes.find(({ id }) => id !== null && id !== chainId)
  if (other) return { state: 'bad', says: `${other.host} serves chain ${other.id}.` }
  if (nodes.every(({ id }) => id === null)) return { state: 'missing', says: 'Checked once an address answers.' }
  return { state: 'ok', says: `${networkName(chainId)}, as the addresses say.` }
}

function evaluateToken(nodes: Probed[]): Judged {
  const known = nodes.filter(({ decimals }) => decimals !== null)
  if (known.length === 0) return { state: 'bad', says: 'No contract of a token answers there on this chain.' }
  if (known.some(({ decimals }) => decimals !== 6))
    return { state: 'bad', says: `It has ${firstOf(known).decimals} decimals; USDC has 6.` }
  const { symbol } = firstOf(known)
  return { state: 'ok', says: `The contract calls itself ${symbol ?? 'nothing'} and has 6 decimals.` }
}

async function watchTest(db: Db, settings: UsdcSettings, address: string): Promise<Guide['test']> {
  const { readToken } = await import('./address.server.ts')
  const { chainId, confirmations } = settings
  const token = readToken(settings.token)
  await giveTestAddress(db, { address, chainId, token, units: TEST_UNITS, confirmations })
  const transfers = await transfersTo(db, address)
  return {
    address,
    network: networkName(chainId),
    uri: transferUri({ token, chainId, address, units: TEST_UNITS }),
    amount: formatUnits(TEST_UNITS),
    received: formatUnits(transfers.reduce((sum, { units }) => sum + units, 0)),
    isConfirmed: transfers.some(({ isConfirmed }) => isConfirmed),
  }
}
