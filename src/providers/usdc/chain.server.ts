import type { BlockHead, Node, TokenTransfer } from './rpc.server.ts'
import { NodeAway } from './rpc.server.ts'
import { firstOf, required } from '../../kit/values/required.ts'

// Combines nodes of different operators. A value counts if a majority returns it: both of two nodes, two of three.

/** A node whose block time differs more than this is stale or wrong. */
const MAX_APART = 30
const FAR_APART = 500
/** Providers accept at most this many blocks and addresses in one request. */
const BLOCKS_AT_ONCE = 2_000
const ADDRESSES_AT_ONCE = 400
/** With more addresses, reading every transfer of the token is cheaper than one request per batch of addresses. */
export const MAX_NAMED_ADDRESSES = 4_000
/** Limits for reading all transfers, per request and per scan. Providers return at most a few thousand events. */
const WHOLE_BLOCKS_AT_ONCE = 20
const WHOLE_BLOCKS_A_SCAN = 400

export type Away = { kind: 'away'; why: string }
/** `isFinal`: the nodes differ about confirmed blocks, so a reorganisation in progress cannot be the cause. */
export type Disagreed = { kind: 'disagreed'; why: string; isFinal: boolean }
export type Read = { kind: 'read'; from: number; to: BlockHead; transfers: TokenTransfer[]; times: Map<number, Date> }
export type Chain = ReturnType<typeof openChain>
/** `missing`: nodes that did not respond or differ from the majority. */
export type Head = { kind: 'head'; number: number; missing: string[] }

/** `blocksAtOnce`: the most blocks in one request, and in one scan. */
type Terms = { chainId: number; token: string; confirmations: number; blocksAtOnce?: number }

class NoMajority extends Error {
  readonly answers: unknown[]
  constructor(what: string, answers: unknown[]) {
    super(what)
    this.answers = answers
  }
}

export function openChain(nodes: Node[], { chainId, token, confirmations, blocksAtOnce = BLOCKS_AT_ONCE }: Terms) {
  const names = nodes.map(({ host }) => host).join(' and ')
  const quorum = Math.floor(nodes.length / 2) + 1
  const checked = new Set<Node>()

  /** Returns all responses. Throws if fewer than a majority of the nodes respond. */
  async function answers<T>(ask: (node: Node) => Promise<T>): Promise<{ node: Node; answer: T }[]> {
    const settled = await Promise.allSettled(nodes.map(async (node) => ({ node, answer: await ask(node) })))
    const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    const defect = failed.find((error) => !(error instanceof NodeAway))
    if (defect) throw defect
    const given = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    if (given.length < quorum) throw failed[0]
    return given
  }

  async function agreed<T>(what: string, ask: (node: Node) => Promise<T>): Promise<T> {
    const groups = new Map<string, T[]>()
    const given = await answers(ask)
    for (const { answer } of given) {
      const key = JSON.stringify(answer)
      groups.set(key, [...(groups.get(key) ?? []), answer])
    }
    const most = [...groups.values()].find((group) => group.length >= quorum)
    if (!most)
      throw new NoMajority(
        `${names} differ about ${what}`,
        [...groups.values()].map((group) => group[0]),
      )
    return firstOf(most)
  }

  const blockOf = (number: number) => agreed(`block ${number}`, (node) => node.block(number))

  /** Checks the chain id and the token's decimals once for each node. */
  async function check(node: Node): Promise<Disagreed | null> {
    if (checked.has(node)) return null
    const id = await node.chainId()
    if (id !== chainId) {
      const why = `${node.host} serves chain ${id}, and CRYPTO_CHAIN is ${chainId}`
      return { kind: 'disagreed', why, isFinal: true }
    }
    const decimals = await node.decimals(token)
    if (decimals !== 6)
      return { kind: 'disagreed', why: `CRYPTO_TOKEN has ${decimals} decimals instead of 6`, isFinal: true }
    checked.add(node)
    return null
  }

  async function head(): Promise<Head | Away | Disagreed> {
    return guarded(async () => {
      const wrong = (await answers(check)).find(({ answer }) => answer)
      if (wrong) return required(wrong.answer, 'the wrong answer')
      const given = (await answers((node) => node.head())).toSorted((a, b) => a.answer - b.answer)
      const spread = (at: number) =>
        required(given[at + quorum - 1], 'an entry of given').answer - required(given[at], 'an entry of given').answer
      const places = given.slice(0, given.length - quorum + 1).map((_, at) => at)
      const nearest = firstOf(places.toSorted((a, b) => spread(a) - spread(b) || b - a))
      if (spread(nearest) > MAX_APART)
        return {
          kind: 'disagreed',
          why: `${names} are ${spread(nearest)} blocks apart`,
          isFinal: spread(nearest) > FAR_APART,
        }
      const number = required(given[nearest], 'an entry of given').answer
      const isNear = (host: string) =>
        given.some(({ node, answer }) => node.host === host && Math.abs(answer - number) <= MAX_APART)
      return { kind: 'head', number, missing: nodes.map(({ host }) => host).filter((host) => !isNear(host)) }
    })
  }

  async function transfersIn(receivers: string[], start: number, end: number): Promise<TokenTransfer[]> {
    const wanted = new Set(receivers.map((address) => address.toLowerCase()))
    const found: TokenTransfer[] = []
    for (const { some, first, last } of pieces(receivers, { start, end, blocksAtOnce })) {
      const part = await agreed(`transfers of blocks ${first} to ${last}`, async (node) => {
        const all = await node.transfers(token, some, first, last)
        return some ? all : all.filter(({ receiver }) => wanted.has(receiver.toLowerCase()))
      })
      found.push(...part)
    }
    return found.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }

  /** Reads the transfers to `receivers` from block `from` up to the head, at most one scan's limit beyond `known`. */
  async function read(
    receivers: string[],
    { from, known }: { from: number; known: number },
  ): Promise<Read | Away | Disagreed> {
    return guarded(async () => {
      const top = await head()
      if (top.kind !== 'head') return top
      const most = receivers.length > MAX_NAMED_ADDRESSES ? WHOLE_BLOCKS_A_SCAN : blocksAtOnce
      const start = Math.max(0, Math.min(from, top.number))
      // never ends before the cursor, however many blocks are read again
      const end = Math.min(top.number, Math.max(start, known) + most - 1)
      try {
        const to = await blockOf(end)
        const transfers = await transfersIn(receivers, start, end)
        const times = new Map<number, Date>()
        for (const number of new Set(transfers.map(({ blockNumber }) => blockNumber))) {
          const block = await blockOf(number)
          const hashes = transfers.filter(({ blockNumber }) => blockNumber === number).map(({ blockHash }) => blockHash)
          if (hashes.some((hash) => hash !== block.hash))
            return { kind: 'disagreed', why: `${names} differ about block ${number}`, isFinal: false }
          times.set(number, block.at)
        }
        return { kind: 'read', from: start, to, transfers, times }
      } catch (error) {
        if (!(error instanceof NoMajority)) throw error
        const settled = error.answers.map((answer) =>
          Array.isArray(answer)
            ? (answer as TokenTransfer[]).filter(({ blockNumber }) => blockNumber <= end - confirmations)
            : [],
        )
        const isFinal = !isSame(settled) || (await differsBelow(end))
        return { kind: 'disagreed', why: error.message, isFinal }
      }
    })
  }

  /** Reads the confirmed transfers to `receivers` in a time range, `to` excluded, from all transfers. */
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
      const transfers = await transfersIn(receivers, start, end)
      const times = new Map<number, Date>()
      for (const number of new Set(transfers.map(({ blockNumber }) => blockNumber)))
        times.set(number, (await blockOf(number)).at)
      return {
        kind: 'read',
        transfers: transfers.map((one) => ({
          ...one,
          at: required(times.get(one.blockNumber), 'the time of a block'),
        })),
      }
    })
  }

  /** Returns the first block at or after a moment, or `last` + 1 if all blocks are older. */
  async function firstSince(moment: Date, last: number): Promise<number> {
    let [low, high] = [0, last + 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((await blockOf(middle)).at >= moment) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Nodes may differ about the newest blocks for some seconds, but never about confirmed blocks. */
  async function differsBelow(end: number): Promise<boolean> {
    const below = await answers((node) => node.block(Math.max(0, end - confirmations)))
    return !isSame(below.map(({ answer }) => answer.hash))
  }

  /** Returns the token's transfers of one transaction. Null until a majority has the transaction. */
  const transfersOf = (
    txHash: string,
  ): Promise<{ kind: 'found'; transfers: TokenTransfer[] | null } | Away | Disagreed> =>
    guarded(async () => {
      const found = await answers((node) => node.transfersOf(token, txHash))
      if (found.filter(({ answer }) => answer !== null).length < quorum) return { kind: 'found', transfers: null }
      const transfers = await agreed('a transaction', (node) => node.transfersOf(token, txHash))
      return { kind: 'found', transfers }
    })

  return { head, read, readBetween, transfersOf, nodes }
}

const isSame = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size <= 1

type Span = { start: number; end: number; blocksAtOnce: number }

function* pieces(receivers: string[], { start, end, blocksAtOnce }: Span) {
  const isWhole = receivers.length > MAX_NAMED_ADDRESSES
  const blocks = isWhole ? WHOLE_BLOCKS_AT_ONCE : blocksAtOnce
  for (let at = 0; at < (isWhole ? 1 : receivers.length); at += ADDRESSES_AT_ONCE)
    for (let first = start; first <= end; first += blocks)
      yield {
        some: isWhole ? null : receivers.slice(at, at + ADDRESSES_AT_ONCE),
        first,
        last: Math.min(end, first + blocks - 1),
      }
}

async function guarded<T>(ask: () => Promise<T>): Promise<T | Away | Disagreed> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NoMajority) return { kind: 'disagreed', why: error.message, isFinal: false }
    if (!(error instanceof NodeAway)) throw error
    return { kind: 'away', why: error.message }
  }
}
