import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { limitPerNetwork } from './connections.server.ts'

function connect(server: EventEmitter, remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), { remoteAddress, isDestroyed: false, destroy: () => undefined })
  socket.destroy = () => void (socket.isDestroyed = true)
  server.emit('connection', socket)
  return socket
}

test('rejects connections of an address above the limit until one of them closes', () => {
  const server = new EventEmitter()
  limitPerNetwork(server, 2)
  const [first] = [connect(server, '8.8.8.8'), connect(server, '8.8.8.8')]
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(true)
  expect(connect(server, '9.9.9.9').isDestroyed).toBe(false)
  first!.emit('close')
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(false)
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(true)
})

test('counts an IPv6 /64 as one network, embedded IPv4 as IPv4, and private addresses not at all', () => {
  const server = new EventEmitter()
  limitPerNetwork(server, 1)
  expect(connect(server, '2600:1:1:1::1').isDestroyed).toBe(false)
  expect(connect(server, '2600:1:1:1::2').isDestroyed).toBe(true)
  expect(connect(server, '::ffff:8.8.8.8').isDestroyed).toBe(false)
  expect(connect(server, '8.8.8.8').isDestroyed).toBe(true)
  for (const address of ['127.0.0.1', '172.17.0.1', '10.0.0.9', '::1'])
    expect([connect(server, address).isDestroyed, connect(server, address).isDestroyed]).toEqual([false, false])
})
