import { connect, type Socket } from 'node:net'
import type { LoadOrder, LoadResult } from './orders.ts'

// Generates load in a separate process. Uses sockets, because node:http's client would cost more than the server.

type Answer = { status: number; bytes: number; body: string }

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
    done?.({ status: Number(head.slice(9, 12)), bytes: all.length, body: all.toString('utf8', end + 4) })
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

type Turn = (connection: ReturnType<typeof openConnection>) => Promise<number>

/** Sends the requests in rotation; a turn is one request. */
function askInCircle({ port, requests }: Extract<LoadOrder, { kind: 'requests' }>): Turn {
  const texts = requests.map(({ line, cookie, body }) => requestText(port, line, cookie, body))
  let next = 0
  return async ({ send }) => {
    const { status, bytes } = await send(texts[next++ % texts.length]!)
    if (status !== 200) throw new Error(`answered ${status}`)
    return bytes
  }
}

/** A turn is a whole order: add to cart, start, approve, capture. The buyers take turns. */
function checkOut({ port, cookies, productId, total }: Extract<LoadOrder, { kind: 'checkout' }>): Turn {
  let next = 0
  return async ({ send }) => {
    const cookie = cookies[next++ % cookies.length]!
    let bytes = 0
    const ask = async (line: string, body?: object) => {
      const answer = await send(requestText(port, line, cookie, body))
      if (answer.status >= 300) throw new Error(`${line} answered ${answer.status}: ${answer.body}`)
      bytes += answer.bytes
      return answer.body
    }
    await ask('POST /api/cart', { productId, quantity: 1 })
    const started = await ask('POST /order', { amount: total, currency: 'USD', intent: 'capture' })
    const { id } = JSON.parse(started) as { id: string }
    await ask(`POST /sandbox/paypal/test/orders/${id}/approve`)
    const captured = await ask(`POST /order/${id}/capture`)
    if (!captured.includes('"status":"COMPLETED"')) throw new Error(`not completed: ${captured.slice(0, 200)}`)
    return bytes
  }
}

/** A turn is the provider's part of an order: create, approve, capture. */
function provide({ port, token, body }: Extract<LoadOrder, { kind: 'provider' }>): Turn {
  return async ({ send }) => {
    const key = crypto.randomUUID()
    const text = body.replaceAll('PAYMENT', key)
    const head = `host: localhost:${port}\r\nauthorization: Bearer ${token}\r\nprefer: return=representation\r\ncontent-type: application/json\r\npaypal-request-id:`
    const post = (path: string, id: string, json: string) =>
      send(`POST ${path} HTTP/1.1\r\n${head} ${id}\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`)
    const created = await post('/sandbox/paypal/v2/checkout/orders', `co-${key}`, text)
    const { id } = JSON.parse(created.body) as { id: string }
    const approved = await send(requestText(port, `POST /sandbox/paypal/test/orders/${id}/approve`))
    const captured = await post(`/sandbox/paypal/v2/checkout/orders/${id}/capture`, `cap-${key}`, '{}')
    if (approved.status !== 204 || captured.status !== 201) throw new Error(`${approved.status} ${captured.body}`)
    return created.bytes + approved.bytes + captured.bytes
  }
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const turn =
    order.kind === 'requests' ? askInCircle(order) : order.kind === 'checkout' ? checkOut(order) : provide(order)
  const tookMs: number[] = []
  let bytes = 0
  const startedAt = performance.now()
  const end = startedAt + order.seconds * 1000
  await Promise.all(
    Array.from({ length: order.connections }, async () => {
      const connection = openConnection(order.port)
      for (let at = performance.now(); at < end;) {
        const got = await turn(connection)
        bytes += got
        const now = performance.now()
        tookMs.push(now - at)
        at = now
      }
      connection.close()
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  tookMs.sort((a, b) => a - b)
  const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? 0
  return {
    count: tookMs.length,
    perSecond: tookMs.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytes: bytes / tookMs.length,
  }
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  )
})
