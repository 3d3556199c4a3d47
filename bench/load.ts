import { connect, type Socket } from 'node:net'
import { type LoadOrder, type LoadResult, takeTurns } from './orders.ts'

// Generates load in a separate process. Uses sockets, because node:http's client would cost more than the server.

type Answer = { status: number; body: string }

/** A keep-alive connection with one request at a time. */
function openConnection(port: number) {
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
    send: (request: string) =>
      new Promise<Answer>((resolve, reject) => {
        done = resolve
        fail = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

const requestText = (port: number, line: string, cookie = '', body?: object) => {
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

type Turn = (connection: ReturnType<typeof openConnection>) => Promise<void>

/** Sends the requests in rotation; a turn is one request. */
function askInCircle({ port, requests }: Extract<LoadOrder, { kind: 'requests' }>): Turn {
  const texts = requests.map(({ line, cookie, body }) => requestText(port, line, cookie, body))
  let next = 0
  return async ({ send }) => {
    const { status } = await send(texts[next++ % texts.length]!)
    if (status !== 200) throw new Error(`answered ${status}`)
  }
}

/** A turn is a whole order: add to cart, start, approve, capture. The buyers take turns. */
function checkOut({ port, cookies, productId, total }: Extract<LoadOrder, { kind: 'checkout' }>): Turn {
  let next = 0
  return async ({ send }) => {
    const cookie = cookies[next++ % cookies.length]!
    const ask = async (line: string, body?: object) => {
      const answer = await send(requestText(port, line, cookie, body))
      if (answer.status >= 300) throw new Error(`${line} answered ${answer.status}: ${answer.body}`)
      return answer.body
    }
    await ask('POST /api/cart', { productId, quantity: 1 })
    const started = await ask('POST /order', { amount: total, currency: 'USD', intent: 'capture' })
    const { id } = JSON.parse(started) as { id: string }
    await ask(`POST /sandbox/paypal/test/orders/${id}/approve`)
    const captured = await ask(`POST /order/${id}/capture`)
    if (!captured.includes('"status":"COMPLETED"')) throw new Error(`not completed: ${captured.slice(0, 200)}`)
  }
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const turn = order.kind === 'requests' ? askInCircle(order) : checkOut(order)
  const opened: ReturnType<typeof openConnection>[] = []
  const result = await takeTurns(order.connections, order.seconds, () => {
    const connection = openConnection(order.port)
    opened.push(connection)
    return () => turn(connection)
  })
  for (const connection of opened) connection.close()
  return result
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  )
})
