import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { findFreePort } from '../../src/kit/serve/port.server.ts'
import { checksummed } from '../../src/providers/usdc/address.server.ts'
import { tokenCode, transferCall } from './token.ts'

const ANVIL = join(
  import.meta.dirname,
  `../../node_modules/@foundry-rs/anvil-${process.platform}-${osArch()}/bin/anvil`,
)

function osArch() {
  return process.arch === 'x64' ? 'amd64' : process.arch
}

/** False if the chain node is not installed; it exists only for some machines. Then these tests print SKIPPED. */
export const hasAnvil = existsSync(ANVIL)
if (!hasAnvil)
  process.stderr.write(`\nSKIPPED: no anvil at ${ANVIL}, so the tests of USDC do not run on this machine.\n\n`)

/** The public key of account m/44'/60'/0' of the well-known test phrase 'test test ... junk'. */
export const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'
export const CONFIRMATIONS = 3

export type TestChain = Awaited<ReturnType<typeof openChainNode>>

/** Opens a real chain node with two tokens, and a proxy to it that can lie. End it with `stop`. */
export async function openChainNode() {
  const port = await findFreePort()
  const child = spawn(ANVIL, ['--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await untilListening(child)
  const url = `http://127.0.0.1:${port}`
  const ask = createAsk(url)
  const owner = (await ask<string[]>('eth_accounts', []))[0]!
  let forks = 0
  /** Sends a transaction in a separate block. */
  const transact = async (transaction: Record<string, string>) => {
    const hash = await ask<string>('eth_sendTransaction', [{ from: owner, gas: '0x200000', ...transaction }])
    for (;;) {
      const receipt = await ask<{ contractAddress: string; status: string } | null>('eth_getTransactionReceipt', [hash])
      if (receipt && receipt.status !== '0x1') throw new Error('the transaction failed')
      if (receipt) return { hash, ...receipt }
    }
  }
  const deploy = async (data: string) => checksummed((await transact({ data })).contractAddress)
  const token = await deploy(tokenCode())
  const otherToken = await deploy(tokenCode())
  const proxy = await openProxy(url)
  return {
    url,
    token,
    otherToken,
    ask,
    /** Settings of a shop on this chain. */
    settings: {
      CRYPTO_XPUB: XPUB,
      CRYPTO_RPC_URLS: `${url},${proxy.url}`,
      CRYPTO_CHAIN: '31337',
      CRYPTO_TOKEN: token,
      CRYPTO_CONFIRMATIONS: String(CONFIRMATIONS),
    },
    /** Sends units of the token in a separate block. Returns the hash of the transaction. */
    send: async (to: string, units: number, of = token) =>
      (await transact({ to: of, data: transferCall(to, units) })).hash,
    mine: (blocks = CONFIRMATIONS) => ask('anvil_mine', [`0x${blocks.toString(16)}`]),
    /** Stores the state of the chain. The returned function restores it and mines different blocks instead. */
    fork: async () => {
      const snapshot = await ask<string>('evm_snapshot', [])
      return async () => {
        const height = Number(await ask<string>('eth_blockNumber', []))
        await ask('evm_revert', [snapshot])
        const now = Number(await ask<string>('eth_blockNumber', []))
        // sends another transaction, so that the new blocks differ
        await transact({ to: owner, value: `0x${(++forks).toString(16)}` })
        await ask('anvil_mine', [`0x${(height - now).toString(16)}`])
      }
    },
    balanceOf: async (address: string, of = token) =>
      Number(
        await ask<string>('eth_call', [
          { to: of, data: `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}` },
          'latest',
        ]),
      ),
    lie: proxy.lie,
    stop: async () => {
      await proxy.stop()
      if (child.exitCode === null) {
        const ended = new Promise((done) => child.once('exit', done))
        child.kill()
        await ended
      }
    },
  }
}

function untilListening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (part: Buffer) => {
      text += part.toString()
      if (text.includes('Listening on')) resolve()
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the node ended: ${text}`)))
  })
}

function createAsk(url: string) {
  return async function ask<T>(method: string, params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

/** 'away': no answer; 'ahead': a wrong head; 'block': other hashes; 'hidden': no transfers; 'chain': another chain. */
export type Lie = 'away' | 'ahead' | 'block' | 'hidden' | 'chain' | null

async function openProxy(target: string) {
  let lie: Lie = null
  const change = (method: string, result: unknown): unknown => {
    if (lie === 'ahead' && method === 'eth_blockNumber') return `0x${(Number(result) + 1000).toString(16)}`
    if (lie === 'chain' && method === 'eth_chainId') return '0x1'
    if (lie === 'hidden' && method === 'eth_getLogs') return []
    if (lie === 'block' && method === 'eth_getBlockByNumber')
      return { ...(result as object), hash: `0x${'ab'.repeat(32)}` }
    return result
  }
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    if (lie === 'away') return void answer.writeHead(503).end()
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const reply = (await response.json()) as { result?: unknown }
    const { method } = JSON.parse(body) as { method: string }
    const told = 'result' in reply ? { ...reply, result: change(method, reply.result) } : reply
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    lie: (next: Lie) => {
      lie = next
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
