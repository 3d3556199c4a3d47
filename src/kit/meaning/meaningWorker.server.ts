import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { openEncoder } from './encoder/encoder.server.ts'
import type { FromWorker } from './meaning.server.ts'

// HTTP requests have priority. Only Linux sets the priority of the calling thread; other systems set the whole process.
const { isLast } = workerData as { isLast: boolean }
if (isLast && process.platform === 'linux') setPriority(Math.max(getPriority(), constants.priority.PRIORITY_LOW))

const encode = openEncoder()

parentPort?.on('message', ({ texts }: { texts: string[] }) => parentPort?.postMessage(answer(texts)))

function answer(texts: string[]): FromWorker {
  try {
    return { vectors: texts.map(encode) }
  } catch (error) {
    return { error: String(error) }
  }
}
