import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'

// The limit of an upload: bare node:http that pipes the body to a file.

let path = ''

const server = createServer((request, response) => {
  void pipeline(request, createWriteStream(path)).then(() => response.end())
})

process.on('message', (given: { path: string }) => {
  path = given.path
  process.send?.({ result: (server.address() as { port: number }).port })
})
server.listen(0, '127.0.0.1', () => process.send?.({ result: 'ready' }))
