import { Worker } from 'node:worker_threads'

// Writes and hashes files in a separate thread, because hashing would take a third of the request thread's time.

export type ToThread = { id: number } & ({ fd: number } | { chunk: Uint8Array } | { isEnd: true })
export type FromThread = { id: number } & (
  { writtenBytes: number } | { sha256: string } | { error: { message: string; code: string | undefined } }
)

type Listeners = { onWritten: (bytes: number) => void; onFailure: (error: Error) => void }

type OpenFile = Listeners & { end: PromiseWithResolvers<string> }

export type ThreadFile = {
  /** `isOurs`: no other code reads the chunk, so its memory moves to the thread. Otherwise the thread gets a copy. */
  write: (chunk: Uint8Array, isOurs: boolean) => void
  /** Returns the hash of all chunks in hex after the last write, or throws its error. The file may be closed then. */
  end: () => Promise<string>
}

const files = new Map<number, OpenFile>()
let thread: Worker | null = null
let lastId = 0

/** Writes to the open file `fd` from its current position. The caller must not close it before `end` settles. */
export function writeInThread(fd: number, listeners: Listeners): ThreadFile {
  const worker = (thread ??= start())
  const id = ++lastId
  const end = Promise.withResolvers<string>()
  // prevents an unhandled rejection if a write fails before the caller awaits the end
  end.promise.catch(() => undefined)
  files.set(id, { ...listeners, end })
  // only open files prevent the process from exiting
  worker.ref()
  const tell = (message: ToThread, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved)
  tell({ id, fd })

  function write(chunk: Uint8Array, isOurs: boolean) {
    const isWhole = chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength
    const sent = isOurs && isWhole ? chunk : new Uint8Array(chunk)
    tell({ id, chunk: sent }, [sent.buffer as ArrayBuffer])
  }
  return {
    write,
    end: () => {
      tell({ id, isEnd: true })
      return end.promise
    },
  }
}

function start(): Worker {
  const worker = new Worker(new URL('fileThreadWorker.server.ts', import.meta.url))
  worker.on('message', (message: FromThread) => {
    const file = files.get(message.id)
    if (!file) return
    if ('writtenBytes' in message) return file.onWritten(message.writtenBytes)
    if ('sha256' in message) return finish(message.id, () => file.end.resolve(message.sha256))
    const error = Object.assign(new Error(message.error.message), { code: message.error.code })
    file.onFailure(error)
    finish(message.id, () => file.end.reject(error))
  })
  const fail = (error: Error) => {
    if (thread !== worker) return
    thread = null
    for (const [id, file] of files) {
      file.onFailure(error)
      finish(id, () => file.end.reject(error))
    }
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that writes files ended')))
  return worker
}

function finish(id: number, tell: () => void) {
  files.delete(id)
  if (files.size === 0) thread?.unref()
  tell()
}
