import { Readable } from 'node:stream'
import { type Database, inTransaction } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Draft } from '../../assistant/answers/answer.ts'
import type { Mind } from '../../assistant/answers/answer.server.ts'
import type { ModelAnswers, ModelUse } from '../../assistant/model/modelAnswer.server.ts'
import { beginAgain, endAnswer, isWorking, readQuestion, readThread, storeAnswer } from './answering.store.server.ts'

// Answers stored questions in the background. If the process dies, the row stays 'working': the chat offers a retry.

/** The other questions wait in the process. This many questions fill the batches of the embedding model. */
const MAX_AT_ONCE = 12
const MESSAGES_FOR_MODEL = 12
const ASK_AGAIN_MS = 500
const BEAT_MS = 10_000

type Event = { text: string } | { doing: string } | { isDone: true }
type Run = {
  userId: string
  text: string
  doing: string
  stopper: AbortController
  listeners: Set<(event: Event) => void>
  ended: Promise<void>
}

export type Answering = ReturnType<typeof openAnswering>

export function openAnswering({
  database,
  mind,
  model,
}: {
  database: Database
  mind: Mind
  model: ModelAnswers | null
}) {
  const runs = new Map<string, Run>()
  const inTurn = createTurns(MAX_AT_ONCE)
  const { db } = database

  const tell = (run: Run, event: Event) => {
    if ('text' in event) run.text = event.text
    if ('doing' in event) run.doing = event.doing
    for (const listener of run.listeners) listener(event)
  }
  async function work(questionId: string, run: Run): Promise<void> {
    const asked = await readQuestion(db, questionId)
    if (!asked) return
    const { userId, message: text, frame } = asked
    const started = performance.now()
    const since = () => Math.round(performance.now() - started)
    tell(run, { doing: 'Looking it up' })
    const local = await inTurn(() => mind.answer({ userId, text, frame, waitedMs: since() }))
    let draft: Draft = local
    let made: ModelUse = { model: null, dropped: 0, firstMs: since(), tookMs: 0, costMicrodollars: 0 }
    const isForModel = model && local.intent !== 'attack' && !local.wantsPerson
    if (isForModel && !run.stopper.signal.aborted) {
      tell(run, { doing: `Asking ${model.name}` })
      const thread = await readThread(db, userId, asked.createdAt, MESSAGES_FOR_MODEL)
      const onText = (said: string) => tell(run, { text: said })
      const found = await model.answer({ userId, text, thread, local, signal: run.stopper.signal, onText })
      if (found) made = { ...found.made, firstMs: found.draft ? found.made.firstMs : made.firstMs }
      draft = found?.draft ?? local
    }
    const isStopped = run.stopper.signal.aborted
    if (isStopped && run.text === '') return void (await endAnswer(db, userId, questionId, 'stopped'))
    if (isStopped) draft = { ...draft, text: run.text }
    else tell(run, { text: draft.text })
    const done = { ...made, tookMs: since() }
    await inTransaction(db, (tx) => storeAnswer(tx, { questionId, userId, draft, made: done, isStopped }))
  }

  function start(userId: string, questionId: string) {
    const run: Run = {
      userId,
      text: '',
      doing: '',
      stopper: new AbortController(),
      listeners: new Set(),
      ended: Promise.resolve(),
    }
    runs.set(questionId, run)
    run.ended = work(questionId, run)
      .catch(async (error: unknown) => {
        log.error('the assistant failed', { error })
        await endAnswer(db, userId, questionId, 'failed').catch(() => undefined)
      })
      .finally(() => {
        runs.delete(questionId)
        tell(run, { isDone: true })
      })
  }

  return {
    start,
    async stop(userId: string, questionId: string): Promise<boolean> {
      const run = runs.get(questionId)
      // On another node, the row shows whose question it is.
      if (!run) return endAnswer(db, userId, questionId, 'stopped')
      if (run.userId !== userId) return false
      run.stopper.abort()
      await run.ended
      return true
    },
    async retry(userId: string, questionId: string): Promise<boolean> {
      if (runs.has(questionId) || !(await beginAgain(db, userId, questionId))) return false
      start(userId, questionId)
      return true
    },
    follow(userId: string, questionId: string, signal: AbortSignal): Readable {
      const run = runs.get(questionId)
      const events = openEvents(signal)
      if (run && run.userId === userId) followRun(run, events)
      else void followRow(events, () => isWorking(db, userId, questionId))
      return events.stream
    },
    close: async () => {
      await Promise.all([...runs.values()].map(({ ended }) => ended))
    },
  }
}

/** Returns a function that runs `most` pieces of work at once. The others wait in order. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let atWork = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (atWork >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else atWork++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else atWork--
    }
  }
}

type Events = ReturnType<typeof openEvents>

function openEvents(signal: AbortSignal) {
  const stream = new Readable({ read: () => undefined })
  const beat = setInterval(() => stream.push(': here\n\n'), BEAT_MS).unref()
  signal.addEventListener('abort', () => stream.destroy())
  stream.once('close', () => clearInterval(beat))
  return {
    stream,
    send: (event: Event) => stream.push(`data: ${JSON.stringify(event)}\n\n`),
    end: () => {
      clearInterval(beat)
      if (stream.destroyed || stream.readableEnded) return
      stream.push(null)
    },
  }
}

function followRun(run: Run, { stream, send, end }: Events) {
  const listen = (event: Event) => {
    if (stream.destroyed) return void run.listeners.delete(listen)
    send(event)
    if ('isDone' in event) end()
  }
  run.listeners.add(listen)
  if (run.doing) send({ doing: run.doing })
  if (run.text) send({ text: run.text })
}

/** Polls the row of an answer that another node is writing. */
async function followRow({ stream, send, end }: Events, isAtWork: () => Promise<boolean>) {
  while (!stream.destroyed && (await isAtWork().catch(() => true)))
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS).unref())
  if (stream.destroyed) return
  send({ isDone: true })
  end()
}
