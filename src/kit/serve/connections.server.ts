import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { isLoopback } from '../loopback.ts'
import { networkOf } from './limit.server.ts'

/** Closes connections of a network beyond `most`, so that its idle sockets shut nobody else out. */
export function limitPerAddress(server: EventEmitter, most: number) {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isLoopback(address)) return
    const from = networkOf(address)
    const count = (open.get(from) ?? 0) + 1
    if (count > most) return socket.destroy()
    open.set(from, count)
    socket.once('close', () => {
      const left = open.get(from)! - 1
      if (left > 0) open.set(from, left)
      else open.delete(from)
    })
  })
}
