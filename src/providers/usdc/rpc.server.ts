import * as z from 'zod/mini'
import { required } from '../../kit/values/required.ts'

// JSON-RPC client of an EVM node: the six reads that the scanner needs (decision 0048).

/** The node is unreachable, too slow, or returns an invalid response. */
export class NodeAway extends Error {}

const TIMEOUT_MS = 8_000

const Quantity = z.string().check(z.regex(/^0x[0-9a-f]+$/))
const Hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))
const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const Data = z.string().check(z.regex(/^0x[0-9a-f]*$/))

const Block = z.object({ number: Quantity, hash: Hash, timestamp: Quantity })
const Log = z.object({
  address: Address,
  topics: z.array(Hash),
  data: Data,
  blockNumber: Quantity,
  blockHash: Hash,
  transactionHash: Hash,
  logIndex: Quantity,
  removed: z.optional(z.boolean()),
})
const Receipt = z.nullable(z.object({ status: Quantity, blockNumber: Quantity, logs: z.array(Log) }))
const Reply = z.object({ result: z.optional(z.unknown()), error: z.optional(z.object({ message: z.string() })) })

export type BlockHead = { number: number; hash: string; at: Date }
export type TokenTransfer = {
  txHash: string
  logIndex: number
  sender: string
  receiver: string
  /** Negative when the amount exceeds the largest number that the shop can store. */
  units: number
  blockNumber: number
  blockHash: string
}
export type Node = ReturnType<typeof openNode>

/** keccak of 'Transfer(address,address,uint256)'. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hex = (number: number) => `0x${number.toString(16)}`
const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const addressIn = (topic: string) => `0x${topic.slice(-40)}`

/** Parses a transfer event. Compares the contract address, because another token can have the same name. */
function transferOf(log: z.infer<typeof Log>, token: string): TokenTransfer | null {
  const isOurs = log.address.toLowerCase() === token.toLowerCase()
  if (!isOurs || log.removed || log.topics.length !== 3 || log.topics[0] !== TRANSFER || log.data.length !== 66)
    return null
  const units = BigInt(log.data)
  return {
    txHash: log.transactionHash,
    logIndex: Number(log.logIndex),
    sender: addressIn(required(log.topics[1], 'the sender')),
    receiver: addressIn(required(log.topics[2], 'the receiver')),
    units: units > BigInt(Number.MAX_SAFE_INTEGER) ? -1 : Number(units),
    blockNumber: Number(log.blockNumber),
    blockHash: log.blockHash,
  }
}

/** Opens one node. Messages show `host` only, because the URL may contain an API key. */
export function openNode(url: string, asked: typeof fetch = fetch) {
  const host = new URL(url).host
  let count = 0

  async function ask<T>(method: string, params: unknown[], shape: z.ZodMiniType<T>): Promise<T> {
    try {
      const response = await asked(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      })
      const reply = Reply.parse(await response.json())
      if (reply.error) throw new Error(reply.error.message.slice(0, 200))
      return shape.parse(reply.result)
    } catch (error) {
      throw new NodeAway(`${host} gives no answer to ${method}`, { cause: error })
    }
  }

  return {
    host,
    chainId: async () => Number(await ask('eth_chainId', [], Quantity)),
    head: async () => Number(await ask('eth_blockNumber', [], Quantity)),
    block: async (number: number): Promise<BlockHead> => {
      const { hash, timestamp } = await ask('eth_getBlockByNumber', [hex(number), false], Block)
      return { number, hash, at: new Date(Number(timestamp) * 1000) }
    },
    /** Returns transfers of the token to these addresses in chain order. Null means all addresses. */
    transfers: async (
      token: string,
      receivers: string[] | null,
      from: number,
      to: number,
    ): Promise<TokenTransfer[]> => {
      const filter = {
        address: token,
        topics: receivers ? [TRANSFER, null, receivers.map(topicOf)] : [TRANSFER],
        fromBlock: hex(from),
        toBlock: hex(to),
      }
      const logs = await ask('eth_getLogs', [filter], z.array(Log))
      return logs
        .flatMap((log) => transferOf(log, token) ?? [])
        .filter(({ units }) => units !== 0)
        .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    },
    /** Returns the token's transfers of one transaction. Null until the chain contains it. */
    transfersOf: async (token: string, txHash: string): Promise<TokenTransfer[] | null> => {
      const receipt = await ask('eth_getTransactionReceipt', [txHash], Receipt)
      if (!receipt) return null
      return Number(receipt.status) === 1 ? receipt.logs.flatMap((log) => transferOf(log, token) ?? []) : []
    },
    decimals: async (token: string) =>
      Number(
        await ask(
          'eth_call',
          [{ to: token, data: '0x313ce567' }, 'latest'],
          z.string().check(z.regex(/^0x0{62}[0-9a-f]{2}$/)),
        ),
      ),
    symbol: async (token: string): Promise<string> => {
      const data = await ask('eth_call', [{ to: token, data: '0x95d89b41' }, 'latest'], Data)
      // ABI encoding: offset, length, then the bytes of the text
      const bytes = Buffer.from(data.slice(2), 'hex')
      const length = bytes.length >= 64 ? Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)) : 0
      return bytes.subarray(64, 64 + Math.min(length, 32)).toString('utf8')
    },
  }
}
