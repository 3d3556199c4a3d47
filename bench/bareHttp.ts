import { createServer } from 'node:http'
import { wrapped } from '../src/kit/values/required.ts'

// The limit of a read: bare node:http sends the same head and bytes from memory.

type Ready = { headers: Record<string, string>; body: string }

let answers: { headers: Record<string, string>; body: Buffer }[] = []
let next = 0

const server = createServer((_request, response) => {
  const { headers, body } = wrapped(answers, next++)
  response.writeHead(200, headers)
  response.end(body)
})

process.on('message', (given: Ready[]) => {
  answers = given.map(({ headers, body }) => ({ headers, body: Buffer.from(body, 'base64') }))
  process.send?.({ result: (server.address() as { port: number }).port })
})
server.listen(0, '127.0.0.1', () => process.send?.({ result: 'ready' }))
