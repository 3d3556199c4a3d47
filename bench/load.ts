import { type Connection, openConnection, requestText } from './connection.ts'
import { type LoadOrder, type LoadResult, takeTurns } from './orders.ts'
import { wrapped } from '../src/kit/values/required.ts'

type Turn = (connection: Connection) => Promise<void>

function askInCircle({ port, requests }: Extract<LoadOrder, { kind: 'requests' }>): Turn {
  const texts = requests.map(({ line, cookie, body }) => requestText(port, line, cookie, body))
  let next = 0
  return async ({ send }) => {
    const { status } = await send(wrapped(texts, next++))
    if (status !== 200) throw new Error(`answered ${status}`)
  }
}

/** A turn is a whole order: add to cart, start, approve, capture. The buyers take turns. */
function checkOut({ port, cookies, productId, total }: Extract<LoadOrder, { kind: 'checkout' }>): Turn {
  let next = 0
  return async ({ send }) => {
    const cookie = wrapped(cookies, next++)
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
  const opened: Connection[] = []
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
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
