import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '../src/kit/port.server.ts'

/** A port that leads to another one. `cut` closes its connections and refuses new ones; `freeze` says nothing more on them, as a firewall does. */
export async function openGate(target: number) {
  const port = await findFreePort()
  const pairs = new Set<[Socket, Socket]>()
  let state: 'open' | 'cut' | 'frozen' = 'open'
  const server = createServer((client) => {
    if (state === 'cut') return client.destroy()
    const behind = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [client, behind]
    pairs.add(pair)
    const close = () => {
      for (const one of pair) one.destroy()
      pairs.delete(pair)
    }
    for (const [from, to] of [pair, [behind, client] as const]) {
      from.on('data', (chunk: Buffer) => state !== 'frozen' && to.write(chunk))
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
    freeze: () => (state = 'frozen'),
    open: () => {
      // what was lost on a frozen connection stays lost
      if (state === 'frozen') closeAll()
      state = 'open'
    },
    close: () => {
      closeAll()
      server.close()
    },
  }
}
