import { Worker } from 'node:worker_threads'
import { codeOf } from '../database.server.ts'
import { Failure } from '../failure.ts'

// Processes files of users in worker threads with time and memory limits, so that no file blocks the requests of a node.

const IDLE_MS = 30_000
/** Timeout for a thread to load its modules, which takes seconds on a busy machine. */
const START_MS = 60_000
const MEMORY_CHECK_MS = 100
const MB = 1024 * 1024

/** The share of the queue that inputs of one account may fill. */
const SHARE = 1 / 4

/**
 * The input exceeded a limit, so its thread was terminated. The next input gets a new thread. If the caller does not catch the error,
 * the server returns 503, because a busy machine can be the cause.
 */
export class ThreadLimit extends Failure {
  readonly limit: 'time' | 'memory'
  constructor(limit: 'time' | 'memory') {
    const why = limit === 'time' ? 'The file takes too long' : 'The file needs too much memory'
    super(503, `${why}. Please try again in a moment.`, 'busy', { retryAfter: 5 })
    this.limit = limit
  }
}

const BUSY = new Failure(503, 'Many files are being processed. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})
const OWN_BUSY = new Failure(429, 'Your other files are still being processed. Please try again in a moment.', 'busy', {
  retryAfter: 5,
})

export type FromThread<Output> = { isReady: true } | { value: Output } | { error: string; code: string | undefined }

type Answer<Output> = Exclude<FromThread<Output>, { isReady: true }>

export type Threads<Input, Output> = {
  /**
   * Runs one input of an account at a time and serves the accounts in turn. `account` is null for work of the shop itself. Rejects with
   * a ThreadLimit, with a Failure 503 if too many inputs wait or no thread starts, or with a Failure 429 if too many inputs of the
   * account wait. An error of the script rejects with its text and code.
   */
  run: (input: Input, account: string | null) => Promise<Output>
  /** Same as `run`, but loads the input when its turn comes, so that waiting inputs hold no memory. */
  runLoaded: (load: () => Promise<Input>, account: string | null) => Promise<Output>
  close: () => Promise<void>
}

type Terms<Input> = {
  script: URL
  size?: number
  limitMs: number
  memoryMb?: number
  /**
   * Limits the buffers of a thread, which `memoryMb` does not include. On Node 20, the sum of both limits the growth of
   * the process.
   */
  bufferMb?: number
  mostWaiting: number
  /** Returns the buffers of an input that move to the thread instead of being copied. */
  buffersOf?: (input: Input) => ArrayBuffer[]
}

type Listener<Output> = {
  onReady: () => void
  onAnswer: (answer: Answer<Output>) => void
  onEnd: (error: Error) => void
}
type Thread<Output> = { worker: Worker; isReady: boolean; listener: Listener<Output> | null }
type Waiting<Output> = {
  account: string | null
  start: (thread: Thread<Output>) => void
  refuse: (error: Error) => void
}

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

/** Removes and returns the next input. Moves the other inputs of its account behind those of other accounts. */
function takeNext<Output>(waiting: Waiting<Output>[], running: Set<string | null>): Waiting<Output> | undefined {
  const index = waiting.findIndex(({ account }) => account === null || !running.has(account))
  if (index === -1) return undefined
  const [chosen] = waiting.splice(index, 1)
  const isOwn = ({ account }: Waiting<Output>) => Number(account !== null && account === chosen?.account)
  waiting.sort((a, b) => isOwn(a) - isOwn(b))
  return chosen
}

type Limits<Input> = Pick<Terms<Input>, 'limitMs' | 'bufferMb' | 'buffersOf'> & { memoryMb: number }

async function ask<Input, Output>(
  thread: Thread<Output>,
  input: Input,
  { limitMs, memoryMb, bufferMb = Infinity, buffersOf }: Limits<Input>,
): Promise<Output> {
  let late: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  const answer = await new Promise<Answer<Output>>((resolve, reject) => {
    const endAfter = (ms: number, error: Error) => {
      clearTimeout(late)
      late = setTimeout(() => reject(error), ms)
    }
    const begin = () => endAfter(limitMs, new ThreadLimit('time'))
    // the input does not cause a slow start of the thread
    if (thread.isReady) begin()
    else endAfter(START_MS, BUSY)
    thread.listener = { onReady: begin, onAnswer: resolve, onEnd: reject }
    thread.worker.postMessage(input, buffersOf?.(input))
    if (Number.isFinite(bufferMb)) {
      const isOver = watchBuffers(thread.worker, memoryMb, bufferMb)
      watch = setInterval(() => void isOver().then((is) => is && reject(new ThreadLimit('memory'))), MEMORY_CHECK_MS)
    }
  }).finally(() => {
    clearTimeout(late)
    clearInterval(watch)
  })
  if ('error' in answer) throw Object.assign(new Error(answer.error), { code: answer.code })
  return answer.value
}

/** Returns a function that returns true if a thread holds too many buffers. False for a thread that has ended. */
function watchBuffers(worker: Worker, memoryMb: number, bufferMb: number): () => Promise<boolean> {
  if ('getHeapStatistics' in worker)
    return async () => {
      const used = await worker.getHeapStatistics().catch(() => null)
      return (used?.external_memory ?? 0) > bufferMb * MB
    }
  // Node 20 cannot read the buffers of a thread
  const before = readOtherBytes()
  return async () => readOtherBytes() - before > (memoryMb + bufferMb) * MB
}

/** The memory of the process apart from the heap and the buffers of this thread. */
function readOtherBytes(): number {
  const { rss, heapTotal, external } = process.memoryUsage()
  return rss - heapTotal - external
}

export function openThreads<Input, Output>({
  script,
  size = 1,
  memoryMb = 512,
  mostWaiting,
  ...limits
}: Terms<Input>): Threads<Input, Output> {
  const free: Thread<Output>[] = []
  const busy = new Map<Thread<Output>, string | null>()
  const waiting: Waiting<Output>[] = []
  const share = Math.ceil(mostWaiting * SHARE)
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  const open = () => {
    const thread = openThread<Output>(script, memoryMb)
    thread.worker.once('exit', () => free.includes(thread) && free.splice(free.indexOf(thread), 1))
    return thread
  }

  function next() {
    while (busy.size < size) {
      const chosen = takeNext(waiting, new Set(busy.values()))
      if (!chosen) return
      clearTimeout(idle)
      const thread = free.pop() ?? open()
      busy.set(thread, chosen.account)
      chosen.start(thread)
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

  /** Frees the thread if the input cannot be loaded. */
  async function loadFor(thread: Thread<Output>, load: () => Promise<Input>): Promise<Input> {
    try {
      const input = await load()
      if (isClosed) throw BUSY
      return input
    } catch (error) {
      giveBack(thread)
      throw error
    }
  }

  async function runLoaded(load: () => Promise<Input>, account: string | null): Promise<Output> {
    if (waiting.length >= mostWaiting || isClosed) throw BUSY
    if (account !== null && waiting.filter((one) => one.account === account).length >= share) throw OWN_BUSY
    const thread = await new Promise<Thread<Output>>((start, refuse) => {
      waiting.push({ account, start, refuse })
      next()
    })
    const input = await loadFor(thread, load)
    try {
      const output = await ask(thread, input, { ...limits, memoryMb })
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
    run: (input, account) => runLoaded(async () => input, account),
    runLoaded,
    close: async () => {
      isClosed = true
      clearTimeout(idle)
      for (const { refuse } of waiting.splice(0)) refuse(BUSY)
      await Promise.all([endFree(), ...[...busy.keys()].map(end)])
    },
  }
}
