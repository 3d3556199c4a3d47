import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

// The limit of a download: bare node:http that streams the same file with the same headers.

let file = { path: '', sizeBytes: 0 }

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.sizeBytes })
  createReadStream(file.path).pipe(response)
})

process.on('message', (given: typeof file) => {
  file = given
  process.send?.({ result: (server.address() as { port: number }).port })
})
server.listen(0, '127.0.0.1', () => process.send?.({ result: 'ready' }))
