import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { limitPerAddress } from './connections.server.ts'

function connect(server: EventEmitter, remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), { remoteAddress, isDestroyed: false, destroy: () => undefined })
  socket.destroy = () => void (socket.isDestroyed = true)
  server.emit('connection', socket)
  return socket
}

test('closes the connections of an address beyond the limit until another one ends', () => {
  const server = new EventEmitter()
  limitPerAddress(server, 2)
  const [first] = [connect(server, '8.8.8.8'), connect(server, '8.8.8.8')]
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(true)
  expect(connect(server, '9.9.9.9').isDestroyed).toBe(false)
  first!.emit('close')
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(false)
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(true)
})

test('counts an IPv6 network as one address, and this machine as none', () => {
  const server = new EventEmitter()
  limitPerAddress(server, 1)
  expect(connect(server, '2001:db8:1:1::1').isDestroyed).toBe(false)
  expect(connect(server, '2001:db8:1:1::2').isDestroyed).toBe(true)
  for (let n = 0; n < 3; n++) expect(connect(server, '127.0.0.1').isDestroyed).toBe(false)
})
