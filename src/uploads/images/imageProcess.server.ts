import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Decoded, ImageTask } from './imageDecoder.server.ts'

// Decodes uploaded pictures in a separate process with a memory limit and without secrets. Restarts it when it dies.

const DECODER = join(import.meta.dirname, 'imageDecoder.server.ts')
// Node reserves 650 MB that it does not use. Only Linux enforces this limit; pixels and time are limited everywhere.
const MEMORY_KB = 1_000_000
const TIMEOUT_MS = 15_000
// makes glibc return freed picture memory to the system; other C libraries ignore it
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' }
const MAX_OF_ONE = 5
const MAX_OWNERS = 100

/** Members wait for 'now'; jobs use 'later'. Each lane has its own decoder, so two pictures are decoded at once. */
type Lane = 'now' | 'later'
const TIMEOUTS_MS = { now: TIMEOUT_MS, later: 4 * TIMEOUT_MS }
const lanes = { now: openLane(), later: openLane() }

function openLane() {
  return {
    /** Tasks by member, in the order of their turns. */
    queues: new Map<string, (() => Promise<void>)[]>(),
    isWorking: false,
    decoder: undefined as ChildProcess | undefined,
  }
}

/** Decodes one picture per lane at a time, because it uses a whole core. Members take turns. */
export function inTurn<T>(owner: string, work: () => Promise<T>, name: Lane = 'now'): Promise<T> {
  const lane = lanes[name]
  const own = lane.queues.get(owner) ?? []
  if (own.length >= MAX_OF_ONE || lane.queues.size >= MAX_OWNERS)
    throw new Failure(503, 'A lot of images are being processed. Please try again in a moment.', 'busy', {
      retryAfter: 10,
    })
  return new Promise((resolve, reject) => {
    lane.queues.set(owner, [...own, () => work().then(resolve, reject)])
    if (!lane.isWorking) void workOff(lane)
  })
}

async function workOff(lane: ReturnType<typeof openLane>) {
  const { queues } = lane
  lane.isWorking = true
  // a member with more tasks moves to the end of the Map, where the loop reaches it again
  for (const [owner, [next, ...rest]] of queues) {
    queues.delete(owner)
    if (rest.length > 0) queues.set(owner, rest)
    await next?.()
  }
  lane.isWorking = false
}

/** Runs a task in the lane's decoder. Returns 'heavy' above the memory or time limit. */
export async function decode(task: ImageTask, name: Lane = 'now'): Promise<Decoded> {
  const decoded = await besideOthers(() => run(task, name))
  return decoded === 'large' ? alone(() => run({ ...task, isAlone: true }, name)) : decoded
}

const running = new Set<Promise<unknown>>()
let large: Promise<unknown> | null = null

async function besideOthers<T>(work: () => Promise<T>): Promise<T> {
  while (large) await large
  const own = work()
  running.add(own)
  return own.finally(() => running.delete(own))
}

/** Waits until no picture is decoded, and blocks others during the work. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  while (large) await large
  const own = Promise.all(running).then(work)
  large = own.finally(() => (large = null))
  return own
}

async function run(task: ImageTask, name: Lane): Promise<Decoded> {
  const lane = lanes[name]
  lane.decoder ??= startDecoder(lane)
  const running = lane.decoder
  const { promise, resolve } = Promise.withResolvers<Decoded>()
  const end = () => resolve('heavy')
  const timer = setTimeout(() => running.kill('SIGKILL'), TIMEOUTS_MS[name])
  running.once('message', resolve).once('exit', end)
  running.ref()
  running.send(task, (error) => error && end())
  return promise.finally(() => {
    clearTimeout(timer)
    running.off('message', resolve).off('exit', end)
    running.unref()
  })
}

function startDecoder(lane: ReturnType<typeof openLane>): ChildProcess {
  const limited = ['-c', `ulimit -d ${MEMORY_KB} 2>/dev/null; exec "$0" "$@"`, process.execPath]
  const [command, before] = process.platform === 'win32' ? [process.execPath, []] : ['/bin/sh', limited]
  const child = spawn(command, [...before, '--max-old-space-size=64', DECODER], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: ALLOCATOR,
  })
  const forget = (ending: Record<string, unknown>) => {
    if (lane.decoder === child) lane.decoder = undefined
    log.error('the decoder of pictures ended', ending)
  }
  child.once('exit', (code, signal) => forget({ code, signal })).on('error', (error) => forget({ error }))
  child.unref()
  child.channel?.unref()
  return child
}
