import type { BlockHead, Node, TokenTransfer } from './rpc.server.ts'
import { NodeAway } from './rpc.server.ts'

// Several nodes of different operators, read as one. The shop believes what all of them say alike.

/** Nodes may be some seconds apart; farther, one of them stands still or lies. */
const MOST_APART = 30
const FAR_APART = 500
/** Providers answer at most this many blocks and addresses at once. */
const BLOCKS_AT_ONCE = 2_000
const ADDRESSES_AT_ONCE = 400

export type Away = { kind: 'away'; why: string }
/** `isFinal`: about blocks that no longer change, so no reorganisation under way explains it. */
export type Disagreed = { kind: 'disagreed'; why: string; isFinal: boolean }
export type Read = { kind: 'read'; from: number; to: BlockHead; transfers: TokenTransfer[]; times: Map<number, Date> }
export type Chain = ReturnType<typeof openChain>

type Terms = { chainId: number; token: string; confirmations: number }

export function openChain(nodes: Node[], { chainId, token, confirmations }: Terms) {
  const names = nodes.map(({ host }) => host).join(' and ')
  const all = <T>(ask: (node: Node) => Promise<T>) => Promise.all(nodes.map(ask))
  const isSame = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size === 1
  let isChecked = false

  /** The chain's number and the token's decimals, once for each start. */
  async function check(): Promise<Disagreed | null> {
    if (isChecked) return null
    const ids = await all((node) => node.chainId())
    const wrong = ids.findIndex((id) => id !== chainId)
    if (wrong !== -1) {
      const why = `${nodes[wrong]!.host} serves chain ${ids[wrong]}, and CRYPTO_CHAIN is ${chainId}`
      return { kind: 'disagreed', why, isFinal: true }
    }
    const decimals = await all((node) => node.decimals(token))
    if (decimals.some((count) => count !== 6))
      return {
        kind: 'disagreed',
        why: `CRYPTO_TOKEN has ${decimals.join(' and ')} decimals instead of 6`,
        isFinal: true,
      }
    isChecked = true
    return null
  }

  /** The highest block that every node has. */
  async function head(): Promise<{ kind: 'head'; number: number } | Away | Disagreed> {
    return guarded(async () => {
      const wrong = await check()
      if (wrong) return wrong
      const heads = await all((node) => node.head())
      const [lowest, highest] = [Math.min(...heads), Math.max(...heads)]
      if (highest - lowest > MOST_APART)
        return {
          kind: 'disagreed',
          why: `${names} are ${highest - lowest} blocks apart`,
          isFinal: highest - lowest > FAR_APART,
        }
      return { kind: 'head', number: lowest }
    })
  }

  /** The transfers to `receivers` from block `from` up to the head, or as far beyond `known` as one scan reads. */
  async function read(
    receivers: string[],
    { from, known }: { from: number; known: number },
  ): Promise<Read | Away | Disagreed> {
    return guarded(async () => {
      const top = await head()
      if (top.kind !== 'head') return top
      const start = Math.max(0, Math.min(from, top.number))
      // never behind the cursor, however much is read again
      const end = Math.min(top.number, Math.max(start, known) + BLOCKS_AT_ONCE - 1)
      const blocks = await all((node) => node.block(end))
      if (!isSame(blocks.map(({ hash }) => hash)))
        return { kind: 'disagreed', why: `${names} differ about block ${end}`, isFinal: await differsBelow(end) }
      const transfers: TokenTransfer[] = []
      for (const { some, first, last } of pieces(receivers, start, end)) {
        const found = await all((node) => node.transfers(token, some, first, last))
        if (!isSame(found)) {
          const isFinal = !isSame(
            found.map((list) => list.filter(({ blockNumber }) => blockNumber <= end - confirmations)),
          )
          return { kind: 'disagreed', why: `${names} differ about transfers of blocks ${first} to ${last}`, isFinal }
        }
        transfers.push(...found[0]!)
      }
      const times = new Map<number, Date>()
      for (const number of new Set(transfers.map(({ blockNumber }) => blockNumber))) {
        const asked = await all((node) => node.block(number))
        const hashes = transfers.filter(({ blockNumber }) => blockNumber === number).map(({ blockHash }) => blockHash)
        // the chain moved between two answers
        if (!isSame([...asked.map(({ hash }) => hash), ...hashes]))
          return { kind: 'disagreed', why: `${names} differ about block ${number}`, isFinal: false }
        times.set(number, asked[0]!.at)
      }
      return { kind: 'read', from: start, to: blocks[0]!, transfers, times }
    })
  }

  /** The confirmed transfers to `receivers` in blocks of a time, `to` excluded. Reads some hundred blocks and all transfers. */
  async function readBetween(
    receivers: string[],
    from: Date,
    to: Date,
  ): Promise<{ kind: 'read'; transfers: (TokenTransfer & { at: Date })[] } | Away | Disagreed> {
    return guarded(async () => {
      const top = await head()
      if (top.kind !== 'head') return top
      const last = Math.max(0, top.number - confirmations + 1)
      const [start, end] = [await firstSince(from, last), (await firstSince(to, last)) - 1]
      const transfers: TokenTransfer[] = []
      for (const { some, first, last } of pieces(receivers, start, end)) {
        const found = await all((node) => node.transfers(token, some, first, last))
        if (!isSame(found))
          return {
            kind: 'disagreed',
            why: `${names} differ about transfers of blocks ${first} to ${last}`,
            isFinal: true,
          }
        transfers.push(...found[0]!)
      }
      const times = new Map<number, Date>()
      for (const number of new Set(transfers.map(({ blockNumber }) => blockNumber)))
        times.set(number, (await nodes[0]!.block(number)).at)
      return { kind: 'read', transfers: transfers.map((one) => ({ ...one, at: times.get(one.blockNumber)! })) }
    })
  }

  /** The first block at or after a moment, up to `last`; the one behind `last` when all are older. */
  async function firstSince(moment: Date, last: number): Promise<number> {
    let [low, high] = [0, last + 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((await nodes[0]!.block(middle)).at >= moment) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Two nodes may follow different blocks at the tip for some seconds, and never below the confirmations. */
  async function differsBelow(end: number): Promise<boolean> {
    const below = await all((node) => node.block(Math.max(0, end - confirmations)))
    return !isSame(below.map(({ hash }) => hash))
  }

  /** The token's transfers of one transaction; null while a node does not have it. */
  async function transfersOf(
    txHash: string,
  ): Promise<{ kind: 'found'; transfers: TokenTransfer[] | null } | Away | Disagreed> {
    return guarded(async () => {
      const found = await all((node) => node.transfersOf(token, txHash))
      if (found.includes(null)) return { kind: 'found', transfers: null }
      if (!isSame(found)) return { kind: 'disagreed', why: `${names} differ about a transaction`, isFinal: false }
      return { kind: 'found', transfers: found[0]! }
    })
  }

  return { head, read, readBetween, transfersOf, nodes }
}

/** What one request may ask for. */
function* pieces(receivers: string[], start: number, end: number) {
  for (let at = 0; at < receivers.length; at += ADDRESSES_AT_ONCE)
    for (let first = start; first <= end; first += BLOCKS_AT_ONCE)
      yield {
        some: receivers.slice(at, at + ADDRESSES_AT_ONCE),
        first,
        last: Math.min(end, first + BLOCKS_AT_ONCE - 1),
      }
}

async function guarded<T>(ask: () => Promise<T>): Promise<T | Away> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof NodeAway)) throw error
    return { kind: 'away', why: error.message }
  }
}
