import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { isOutside } from '../outside/outside.server.ts'
import { networkOf } from './limit.server.ts'

/**
 * Closes a new connection if its network has `most` open connections, so that one network cannot use up all of them.
 * Private addresses do not count, because a proxy or a container host has the connections of all visitors.
 */
export function limitPerNetwork(server: EventEmitter, most: number) {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if (!isOutside(network.replace('/64', ''))) return
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = open.get(network)! - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
