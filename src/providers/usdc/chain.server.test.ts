import { describe, expect, test } from 'vitest'
import { MAX_NAMED_ADDRESSES, openChain } from './chain.server.ts'
import { type Node, NodeAway, type TokenTransfer } from './rpc.server.ts'
import { checkChain } from './usdc.check.server.ts'

const CHAIN_ID = 8453
const addressAt = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const transfer = (index: number, blockNumber: number): TokenTransfer => ({
  ...{ txHash: hashOf(index + 1), logIndex: 0, sender: addressAt(9), receiver: addressAt(index), units: 1_000_000 },
  ...{ blockNumber, blockHash: hashOf(blockNumber) },
})
const TRANSFERS = [transfer(5, 990), transfer(70_000, 995), transfer(999_999, 996)]

type ChainQuery = { receivers: number | null; blocks: number }

/** Creates an in-memory node. `change` makes it return false data or stop at block `top`. */
function nodeOf(host: string, change: Partial<Node> & { top?: number } = {}) {
  const asked: ChainQuery[] = []
  const node: Node = {
    host,
    chainId: async () => CHAIN_ID,
    head: async () => change.top ?? 1000,
    block: async (number) => ({ number, hash: hashOf(number), at: new Date(number * 1000) }),
    transfers: async (_, receivers, from, to) => {
      asked.push({ receivers: receivers?.length ?? null, blocks: to - from + 1 })
      return TRANSFERS.filter(
        ({ blockNumber, receiver }) =>
          blockNumber >= from && blockNumber <= to && (!receivers || receivers.includes(receiver)),
      )
    },
    transfersOf: async () => [TRANSFERS[0]!],
    decimals: async () => 6,
    symbol: async () => 'USDC',
    ...change,
  }
  return { node, asked }
}
const away = async (): Promise<never> => {
  throw new NodeAway('the node is away')
}
const AWAY = { chainId: away, head: away, block: away, transfers: away, transfersOf: away }
const open = (...nodes: { node: Node }[]) =>
  openChain(
    nodes.map(({ node }) => node),
    { chainId: CHAIN_ID, token: addressAt(1), confirmations: 10 },
  )
const addresses = (count: number) => Array.from({ length: count }, (_, index) => addressAt(index))
const WHERE = { from: 936, known: 1000 }

describe('node majority', () => {
  test.each<[string, Partial<Node> & { top?: number }]>([
    ['is away', AWAY],
    ['stands still', { top: 100 }],
    ['runs ahead', { top: 1_000_000 }],
    ['hides a transfer', { transfers: async () => [] }],
    ['invents a transfer', { transfers: async () => [transfer(7, 991)] }],
    ['shows another block', { block: async (number) => ({ number, hash: hashOf(7), at: new Date() }) }],
  ])('is reached when one of three nodes %s', async (_, change) => {
    const chain = open(nodeOf('a'), nodeOf('b', change), nodeOf('c'))
    const read = await chain.read(addresses(10), WHERE)
    expect(read).toMatchObject({ kind: 'read', to: { number: 1000 }, transfers: [TRANSFERS[0]] })
    expect(await chain.transfersOf(hashOf(6))).toEqual({ kind: 'found', transfers: [TRANSFERS[0]] })
  })

  test.each<[string, Partial<Node> & { top?: number }, object]>([
    ['is away', AWAY, { kind: 'away' }],
    ['hides a confirmed transfer', { transfers: async () => [] }, { kind: 'disagreed', isFinal: true }],
    ['stands still', { top: 100 }, { kind: 'disagreed', isFinal: true }],
  ])('is missed when one of two nodes %s', async (_, change, expected) => {
    expect(await open(nodeOf('a'), nodeOf('b', change)).read(addresses(10), WHERE)).toMatchObject(expected)
  })

  test('is missed when three nodes return three different blocks', async () => {
    const lying = (hash: number) =>
      nodeOf(`n${hash}`, { block: async (number) => ({ number, hash: hashOf(hash), at: new Date() }) })
    const read = await open(lying(1), lying(2), lying(3)).read(addresses(10), WHERE)
    expect(read).toMatchObject({ kind: 'disagreed', isFinal: true })
  })

  test('excludes a node of another chain', async () => {
    const chain = open(nodeOf('a'), nodeOf('b', { chainId: async () => 1 }), nodeOf('c'))
    expect(await chain.head()).toMatchObject({ kind: 'disagreed', why: expect.stringContaining('b serves chain 1') })
  })

  test('shows a warning of the doctor while one of three nodes is missing', async () => {
    const settings = { usdc: { xpub: '', rpcUrls: ['a', 'b', 'c'], chainId: CHAIN_ID, token: '', confirmations: 10 } }
    const config = { ...settings, mode: 'production' as const }
    expect(await checkChain(config, open(nodeOf('a'), nodeOf('b', AWAY), nodeOf('c')))).toMatchObject({
      grade: 'warn',
      says: expect.stringContaining('no usable response from b'),
    })
    expect(await checkChain(config, open(nodeOf('a'), nodeOf('b'), nodeOf('c')))).toMatchObject({ grade: 'ok' })
  })
})

describe('transfer queries', () => {
  test('request few addresses in batches', async () => {
    const [a, b] = [nodeOf('a'), nodeOf('b')]
    expect(await open(a, b).read(addresses(1000), WHERE)).toMatchObject({ transfers: [TRANSFERS[0]] })
    expect(a.asked.map(({ receivers }) => receivers)).toEqual([400, 400, 200])
  })

  test('read all transfers of short block ranges when there are many addresses', async () => {
    const [a, b] = [nodeOf('a'), nodeOf('b')]
    const read = await open(a, b).read(addresses(70_001), WHERE)
    expect(read).toMatchObject({ kind: 'read', transfers: [TRANSFERS[0], TRANSFERS[1]] })
    expect(a.asked.every(({ receivers, blocks }) => receivers === null && blocks <= 20)).toBe(true)
    expect(a.asked.length).toBeLessThan(10)
    const limit = nodeOf('a')
    await open(limit, nodeOf('b')).read(addresses(MAX_NAMED_ADDRESSES), WHERE)
    expect(limit.asked[0]!.receivers).toBe(400)
  })
})
