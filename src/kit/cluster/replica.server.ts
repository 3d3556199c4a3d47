import type { Bus } from '../bus.server.ts'
import { closeDatabase, type Database, isDatabaseDown, openDatabase } from '../database.server.ts'
import { Failure } from '../failure.ts'
import { log } from '../log/log.server.ts'

// Reads from a streaming replica that never show less than the reader knows (decision 0085). Without the setting
// READ_DATABASE_URL nothing of this runs.

/** A position in the log of the primary, in bytes. A double holds the first nine petabytes of it. */
export type Position = number

export type Replica = ReturnType<typeof openReplica>

/** What a read must not miss: messages on these channels, and the log up to this position. */
export type Known = { channels: string[]; seen?: Position }

const LOOK_MS = 1_000
const HURRY_MS = 50
const PATIENCE_MS = 2_000
/** Above this number one fence stands for all. */
const MOST_FENCES = 1_000

// the timeline tells a replica that stayed behind at a fail-over, with a log of its own
const PRIMARY = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int AS timeline`
const REPLICA = `SELECT pg_is_in_recovery() AS "isReplica", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position,
  greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery())) AS timeline`

type End = { position: Position; timeline: number }
type Far = { isReplica: boolean; position: Position | null; timeline: number }

/** Until the replica has the log up to here, its reads would miss a message. Infinity: the position is not known yet. */
type Fence = { position: Position }

/** A message to one member concerns their own reads only. */
const fenceOf = (channel: string, payload: string) =>
  channel === 'members' ? `members ${payload.split(' ')[0]}` : channel

/** Follows how far the replica is. It may be away at any time, also now, and answers nothing while it is `mostSeconds` behind. */
export function openReplica(
  { url, mostSeconds }: { url: string; mostSeconds: number },
  { database, bus, size = 16 }: { database: Database; bus: Bus; size?: number },
) {
  const far = openDatabase(url, { size, patienceMs: PATIENCE_MS })
  const fences = new Map<string, Fence>()
  let replayed: Position = -1
  /** The replica has all that was written before this moment. */
  let hasUntil = -Infinity
  let mark = { position: Infinity, at: -Infinity }
  let isUp = false
  let isClosed = false
  let looking: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  // no message got lost before this moment, but one may have come before the first look
  fences.set('*', { position: Infinity })
  async function watch(channel: string) {
    await bus.listen(channel, (payload) => {
      const isForAll = payload === null || !isUp || fences.size > MOST_FENCES
      if (isForAll) fences.clear()
      fences.set(isForAll ? '*' : fenceOf(channel, payload), { position: Infinity })
      hurry()
    })
  }

  const lag = () => performance.now() - hasUntil
  const isUsable = () => isUp && bus.isUp() && lag() < mostSeconds * 1000

  /** Asks both databases how far they are. The primary first: what it tells, the messages that arrived so far included. */
  async function look() {
    const open = [...fences.values()].filter(({ position }) => position === Infinity)
    const at = performance.now()
    const [end] = (await database.pool.query<End>(PRIMARY)).rows
    for (const fence of open) fence.position = end!.position
    const { isReplica, position, timeline } = (await far.pool.query<Far>(REPLICA)).rows[0]!
    if (!isReplica || position === null || timeline !== end!.timeline)
      throw new Error(isReplica ? 'the replica follows another primary' : 'READ_DATABASE_URL is no replica')
    replayed = position
    if (replayed >= end!.position) hasUntil = at
    else if (replayed >= mark.position) hasUntil = mark.at
    if (replayed >= mark.position || mark.position === Infinity) mark = { position: end!.position, at }
    for (const [key, fence] of fences) if (fence.position <= replayed) fences.delete(key)
    if (!isUp) log.info('reads go to the replica', {})
    isUp = true
  }

  function leave(error: unknown) {
    if (isUp) log.warn('the replica cannot be used; reads go to the primary', { error })
    isUp = false
    mark = { position: Infinity, at: -Infinity }
  }

  const again = () => {
    if (isClosed) return
    const pauseMs = isUp && fences.size > 0 ? HURRY_MS : LOOK_MS
    timer = setTimeout(run, pauseMs).unref()
  }
  function run() {
    clearTimeout(timer)
    looking = look()
      .catch(leave)
      .finally(() => {
        looking = null
        again()
      })
  }
  function hurry() {
    if (looking || !isUp || isClosed) return
    clearTimeout(timer)
    timer = setTimeout(run, 0).unref()
  }
  run()

  function hasAll({ channels: waited, seen = 0 }: Known): boolean {
    return seen <= replayed && !fences.has('*') && !waited.some((channel) => fences.has(channel))
  }

  /** Runs reads on the replica if it has all that `known` names, otherwise on the primary. Failed reads run again there. */
  async function read<T>(known: Known, primary: Database, work: (on: Database) => Promise<T>): Promise<T> {
    if (!isUsable() || !hasAll(known)) return work(primary)
    try {
      return await work(far)
    } catch (error) {
      // the answer itself, such as a 404
      if (error instanceof Failure) throw error
      // one slow or cancelled read says nothing of the others
      if (isDatabaseDown(error)) leave(error)
      return work(primary)
    }
  }

  return {
    read,
    /** Before the first read that waits for this channel. */
    watch,
    isUsable,
    mostSeconds,
    /** Seconds; Infinity before the first look. */
    lagSeconds: () => lag() / 1000,
    /** The end of the log after the writes of a request. */
    position: async (): Promise<Position> => (await database.pool.query<End>(PRIMARY)).rows[0]!.position,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await looking
      clearTimeout(timer)
      await closeDatabase(far)
    },
  }
}
