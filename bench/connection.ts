import { connect, type Socket } from 'node:net'

// A client on a bare socket, because node:http's client would cost more than the server.

export type Answer = { status: number; body: string }
export type Connection = { send: (request: string) => Promise<Answer>; isOpen: () => boolean; close: () => void }

export function openConnection(port: number): Connection {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true)
  let chunks: Buffer[] = []
  let size = 0
  let done: ((answer: Answer) => void) | undefined
  let fail: ((error: Error) => void) | undefined

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    const all = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = all.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (size < end + 4 + length) return
    chunks = []
    size = 0
    done?.({ status: Number(head.slice(9, 12)), body: all.toString('utf8', end + 4) })
  })
  socket.on('error', (error) => fail?.(error))
  socket.on('close', () => fail?.(new Error('the connection was closed')))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        done = resolve
        fail = reject
        socket.write(request)
      }),
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
  }
}

export function requestText(port: number, line: string, cookie = '', body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return [
    `${line} HTTP/1.1`,
    `host: localhost:${port}`,
    'accept-encoding: gzip, deflate, br',
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(text || /^POST/.test(line)
      ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]
      : []),
    '',
    text,
  ].join('\r\n')
}
