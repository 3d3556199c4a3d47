import { parentPort } from 'node:worker_threads'
import type { FromThread } from './threads.server.ts'

export function serveThread<Input, Output>(work: (input: Input) => Promise<Output>) {
  const port = parentPort
  if (!port) throw new Error('This module runs in a thread.')
  port.postMessage({ isReady: true } satisfies FromThread<Output>)
  port.on('message', (input: Input) => {
    const reply = (message: FromThread<Output>) => port.postMessage(message)
    work(input).then(
      (value) => reply({ value }),
      (error: unknown) => reply({ error: String(error), code: (error as NodeJS.ErrnoException).code }),
    )
  })
}
