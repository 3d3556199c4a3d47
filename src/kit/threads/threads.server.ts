import { Worker } from 'node:worker_threads'
import { codeOf } from '../database.server.ts'
import { Failure } from '../failure.ts'

// Processes files of users in worker threads with time and memory limits, so that no file blocks the requests of a node.

const IDLE_MS = 30_000
/** Timeout for a thread to load its modules, which takes seconds on a busy machine. */
const START_MS = 60_000

/** The input exceeded a limit, so its thread was terminated. The next input gets a new thread. */
export class ThreadLimit extends Error {
  readonly limit: 'time' | 'memory'
  constructor(limit: 'time' | 'memory') {
    super(limit === 'time' ? 'it took too long' : 'it needs too much memory')
    this.limit = limit
  }
}

const BUSY = new Failure(503, 'Many files are being read. Please try again in a moment.', 'busy', { retryAfter: 5 })
const OWN_BUSY = new Failure(429, 'Another file of yours is being read. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})

export type FromThread<Output> = { isReady: true } | { value: Output } | { error: string; code: string | undefined }

type Answer<Output> = Exclude<FromThread<Output>, { isReady: true }>

export type Threads<Input, Output> = {
  /**
   * Rejects with a ThreadLimit, with a Failure 503 if too many inputs wait, and with a Failure 429 if an input of the same
   * `account` waits or runs. An error of the script rejects with its text and code.
   */
  run: (input: Input, options?: { account?: string }) => Promise<Output>
  close: () => Promise<void>
}

type Terms = {
  /** A module that calls `serveThread`. */
  script: URL
  size?: number
  limitMs: number
  memoryMb?: number
  /** Maximum queue length. Further inputs are refused. */
  mostWaiting: number
}

type Listener<Output> = {
  onReady: () => void
  onAnswer: (answer: Answer<Output>) => void
  onEnd: (error: Error) => void
}
/** `isReady`: the thread has loaded its modules. */
type Thread<Output> = { worker: Worker; isReady: boolean; listener: Listener<Output> | null }
type Waiting<Output> = { start: (thread: Thread<Output>) => void; refuse: (error: Error) => void }

/** The thread's event listeners stay registered, because Node stops the port of a worker without listeners. */
function openThread<Output>(script: URL, memoryMb: number): Thread<Output> {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  const thread: Thread<Output> = { worker, isReady: false, listener: null }
  worker.on('message', (message: FromThread<Output>) => {
    if (!('isReady' in message)) return thread.listener?.onAnswer(message)
    thread.isReady = true
    thread.listener?.onReady()
  })
  worker.on('error', (error) =>
    thread.listener?.onEnd(codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimit('memory') : error),
  )
  worker.on('exit', () => thread.listener?.onEnd(new Error('a thread ended')))
  worker.unref()
  return thread
}

/** Opens a pool. Threads start with the first input and end after an idle time. */
export function openThreads<Input, Output>({
  script,
  size = 1,
  limitMs,
  memoryMb = 512,
  mostWaiting,
}: Terms): Threads<Input, Output> {
  const free: Thread<Output>[] = []
  const busy = new Set<Thread<Output>>()
  const waiting: Waiting<Output>[] = []
  const accounts = new Set<string>()
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const open = () => {
    const thread = openThread<Output>(script, memoryMb)
    thread.worker.once('exit', () => free.includes(thread) && free.splice(free.indexOf(thread), 1))
    return thread
  }

  function next() {
    while (waiting.length > 0 && busy.size < size) {
      clearTimeout(idle)
      const thread = free.pop() ?? open()
      busy.add(thread)
      waiting.shift()?.start(thread)
    }
  }

  function giveBack(thread: Thread<Output>) {
    busy.delete(thread)
    free.push(thread)
    clearTimeout(idle)
    idle = setTimeout(() => void endFree(), IDLE_MS).unref()
    next()
  }

  async function end(thread: Thread<Output>) {
    await thread.worker.terminate()
    busy.delete(thread)
    if (!isClosed) next()
  }

  const endFree = () => Promise.all(free.splice(0).map(({ worker }) => worker.terminate()))

  async function ask(thread: Thread<Output>, input: Input): Promise<Output> {
    let late: NodeJS.Timeout | undefined
    const answer = await new Promise<Answer<Output>>((resolve, reject) => {
      const endAfter = (ms: number) => {
        clearTimeout(late)
        late = setTimeout(() => reject(new ThreadLimit('time')), ms)
      }
      endAfter(thread.isReady ? limitMs : START_MS)
      thread.listener = { onReady: () => endAfter(limitMs), onAnswer: resolve, onEnd: reject }
      thread.worker.postMessage(input)
    }).finally(() => clearTimeout(late))
    if ('error' in answer) throw Object.assign(new Error(answer.error), { code: answer.code })
    return answer.value
  }

  async function run(input: Input): Promise<Output> {
    if (waiting.length >= mostWaiting || isClosed) throw BUSY
    const thread = await new Promise<Thread<Output>>((start, refuse) => {
      waiting.push({ start, refuse })
      next()
    })
    try {
      const output = await ask(thread, input)
      giveBack(thread)
      return output
    } catch (error) {
      // ends the thread, which may still run timers or hold memory of the failed input
      await end(thread)
      throw error
    } finally {
      thread.listener = null
    }
  }

  return {
    run: async (input, { account } = {}) => {
      if (account === undefined) return run(input)
      if (accounts.has(account)) throw OWN_BUSY
      accounts.add(account)
      try {
        return await run(input)
      } finally {
        accounts.delete(account)
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(idle)
      for (const { refuse } of waiting.splice(0)) refuse(BUSY)
      await Promise.all([endFree(), ...[...busy].map(end)])
    },
  }
}
