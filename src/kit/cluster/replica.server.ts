import type pg from 'pg'
import type { Bus } from '../bus.server.ts'
import { closeDatabase, type Database, isDatabaseDown, openDatabase } from '../database.server.ts'
import { Failure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import { SocketClient } from '../socketClient.server.ts'
import { only } from '../values/required.ts'

// Reads from the replica of READ_DATABASE_URL that never show less than the reader knows (decision 0085).

export type Position = number

export type Replica = ReturnType<typeof openReplica>

/** What a read must not miss: messages on these channels, and the log up to this position. */
export type KnownPosition = { channels: string[]; seen?: Position }

const MEASURE_MS = 1_000
/** While messages wait for the replica. */
const MEASURE_SOON_MS = 50
const TIMEOUT_MS = 6_000
/** Above this number one fence stands for all. */
const MAX_FENCES = 1_000

// the timeline tells a replica that stayed behind at a fail-over, with a log of its own
const PRIMARY = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int AS timeline`
const REPLICA = `SELECT pg_is_in_recovery() AS "isReplica", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position,
  greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery())) AS timeline`

// a restart changes the first, another server at least one of them
const SERVER = `SELECT concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port()) AS server`

type End = { position: Position; timeline: number }
type StandbyState = { isReplica: boolean; position: Position | null; timeline: number }

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
  /**
   * A pool whose connections lead to one server. The address may lead to several standbys, or to a restarted one, and what was measured
   * on one says nothing about another.
   */
  function openStandby() {
    let server: string | undefined
    const checkServer = async (client: pg.ClientBase) => {
      const { rows } = await client.query<{ server: string }>(SERVER)
      const reached = only(rows).server
      server ??= reached
      if (reached === server) return
      const error = new Error('the address of the replica leads to another server than before')
      leave(opened, error)
      // the pool waits for the end of a refused connection
      if (client instanceof SocketClient) client.cut()
      throw error
    }
    const opened = openDatabase(url, { size, patienceMs: TIMEOUT_MS, checkServer })
    opened.pool.on('error', (error) => leave(opened, error))
    return opened
  }

  let standby: Database = openStandby()
  const closing = new Set<Promise<void>>()
  const fences = new Map<string, Fence>()
  let replayed: Position = -1
  /** The replica has everything that was written before this moment. */
  let caughtUpAt = -Infinity
  /** An end of the primary's log. When the replica reaches it, its lag is known. */
  let lagMark = { position: Infinity, at: -Infinity }
  let isUp = false
  let isClosed = false
  let measuring: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  // no message got lost before this moment, but one may have come before the first measurement
  fences.set('*', { position: Infinity })
  async function watch(channel: string) {
    await bus.listen(channel, (payload) => {
      const isForAll = payload === null || !isUp || fences.size > MAX_FENCES
      if (isForAll) fences.clear()
      fences.set(isForAll ? '*' : fenceOf(channel, payload), { position: Infinity })
      measureSoon()
    })
  }

  const lag = () => performance.now() - caughtUpAt
  const isUsable = () => isUp && bus.isUp() && lag() < mostSeconds * 1000

  /** Asks both databases for their positions. The primary first: its answer includes the messages that arrived before. */
  async function measure(measured: Database) {
    const open = [...fences.values()].filter(({ position }) => position === Infinity)
    const at = performance.now()
    const end = only((await database.pool.query<End>(PRIMARY)).rows)
    for (const fence of open) fence.position = end.position
    const { isReplica, position, timeline } = only((await measured.pool.query<StandbyState>(REPLICA)).rows)
    if (!isReplica || position === null || timeline !== end.timeline)
      throw new Error(isReplica ? 'the replica follows another primary' : 'READ_DATABASE_URL is no replica')
    if (measured !== standby) return
    replayed = position
    if (replayed >= end.position) caughtUpAt = at
    else if (replayed >= lagMark.position) caughtUpAt = lagMark.at
    if (replayed >= lagMark.position || lagMark.position === Infinity) lagMark = { position: end.position, at }
    for (const [key, fence] of fences) if (fence.position <= replayed) fences.delete(key)
    if (!isUp) log.info('reads go to the replica', {})
    isUp = true
  }

  /** Forgets what is known of the server behind these connections. The next measurement may reach another one. */
  function leave(left: Database, error: unknown) {
    if (left !== standby || isClosed) return
    if (isUp) log.warn('the replica cannot be used; reads go to the primary', { error })
    isUp = false
    caughtUpAt = -Infinity
    lagMark = { position: Infinity, at: -Infinity }
    standby = openStandby()
    const closed: Promise<void> = closeDatabase(left)
      .catch(() => undefined)
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }

  const measureLater = () => {
    if (isClosed) return
    const pauseMs = isUp && fences.size > 0 ? MEASURE_SOON_MS : MEASURE_MS
    timer = setTimeout(run, pauseMs).unref()
  }
  function run() {
    clearTimeout(timer)
    const measured = standby
    measuring = measure(measured)
      .catch((error: unknown) => leave(measured, error))
      .finally(() => {
        measuring = null
        measureLater()
      })
  }
  function measureSoon() {
    if (measuring || !isUp || isClosed) return
    clearTimeout(timer)
    timer = setTimeout(run, 0).unref()
  }
  run()

  function hasAll({ channels: waited, seen = 0 }: KnownPosition): boolean {
    return seen <= replayed && !fences.has('*') && !waited.some((channel) => fences.has(channel))
  }

  /** Runs reads on the replica if it has all that `known` names, otherwise on the primary. Failed reads run again there. */
  async function read<T>(known: KnownPosition, primary: Database, work: (on: Database) => Promise<T>): Promise<T> {
    if (!isUsable() || !hasAll(known)) return work(primary)
    const used = standby
    try {
      return await work(used)
    } catch (error) {
      // the answer itself, such as a 404
      if (error instanceof Failure) throw error
      // one slow or cancelled read says nothing of the others
      if (isDatabaseDown(error)) leave(used, error)
      return work(primary)
    }
  }

  return {
    read,
    watch,
    isUsable,
    mostSeconds,
    lagSeconds: () => lag() / 1000,
    /** The end of the log after the writes of a request. */
    position: async (): Promise<Position> => only((await database.pool.query<End>(PRIMARY)).rows).position,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await measuring
      clearTimeout(timer)
      await Promise.all([closeDatabase(standby), ...closing])
    },
  }
}
