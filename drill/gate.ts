import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '../src/kit/serve/port.server.ts'

export async function openGate(target: number | (() => number)) {
  const port = await findFreePort()
  const pairs = new Set<[Socket, Socket]>()
  const forgotten = new WeakSet<[Socket, Socket]>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy()
    const behind = connect(typeof target === 'number' ? target : target(), '127.0.0.1')
    const pair: [Socket, Socket] = [client, behind]
    pairs.add(pair)
    const close = () => {
      for (const one of pair) one.destroy()
      pairs.delete(pair)
    }
    for (const [from, to] of [pair, [behind, client] as const]) {
      from.on('data', (chunk: Buffer) => state !== 'frozen' && !forgotten.has(pair) && to.write(chunk))
      from.on('close', close).on('error', close)
    }
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const closeAll = () => {
    for (const [client, behind] of pairs) {
      client.destroy()
      behind.destroy()
    }
  }
  return {
    port,
    cut: () => {
      state = 'cut'
      closeAll()
    },
    /** Accepts and holds connections but drops every byte, like a host that lost its power. */
    freeze: () => (state = 'frozen'),
    /** Drops every byte of the open connections, like a firewall that lost its state. New connections work. */
    forget: () => pairs.forEach((pair) => forgotten.add(pair)),
    open: () => {
      // a frozen connection has lost bytes, so it cannot continue
      if (state === 'frozen') closeAll()
      state = 'open'
    },
    close: () => {
      closeAll()
      server.close()
    },
  }
}
