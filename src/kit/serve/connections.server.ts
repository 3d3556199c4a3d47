import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { isOutside } from '../outside/outside.server.ts'
import { networkOf } from './limit.server.ts'

/**
 * Closes a new connection when its network has `most` open already: one network must not use up all connections of the
 * shop. Private addresses do not count, because a proxy or a container host stands for all its visitors.
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
