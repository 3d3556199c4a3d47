import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure } from '../failure.ts'
import type { User } from '../handle.server.ts'
import { spendHere, viewRefused } from './checks.server.ts'
import type { ServeOptions, SocketDoor } from './options.server.ts'

/** Accepts websockets of members from pages of the shop. Returns a function that closes them. */
export function serveSockets(server: Server, door: SocketDoor, options: ServeOptions): () => void {
  const open = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    admit(request, door, options)
      .then((user) => door.open(request, socket, head, user))
      .catch((error: unknown) => {
        const status = error instanceof Failure ? error.status : 500
        socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
      })
  })
  return () => open.forEach((socket) => socket.destroy())
}

async function admit(request: IncomingMessage, door: SocketDoor, options: ServeOptions): Promise<User> {
  const { publicUrl } = options
  const { host = '', origin, cookie } = request.headers
  if (!door.path.test(request.url ?? '')) throw new Failure(404, 'Not found')
  // browsers send cookies with websockets of any site, but also the origin
  if (origin !== (publicUrl ? new URL(publicUrl).origin : `http://${host}`)) throw new Failure(403, 'Forbidden')
  const user = await options.identify(cookie)
  if (!user) throw new Failure(401, 'Unauthorized')
  if (user.view) throw viewRefused()
  spendHere('websocket', [{ per: 'account', count: 60, seconds: 60 }], { user, ip: '' }, options)
  return user
}
