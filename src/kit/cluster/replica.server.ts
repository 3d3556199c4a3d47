import type pg from 'pg'
import type { Bus } from '../bus.server.ts'
import { closeDatabase, type Database, isDatabaseDown, openDatabase } from '../database.server.ts'
import { Failure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import { SocketClient } from '../socketClient.server.ts'

// Reads from a streaming replica (decision 0085), but never data older than what the reader has seen or written.

export type Position = number

export type Replica = ReturnType<typeof openReplica>

/** The minimum state for a read: messages on these channels, and the write-ahead log (WAL) up to this position. */
export type KnownPosition = { channels: string[]; seen?: Position }

const MEASURE_MS = 1_000
/** Used while the replica lags behind a message. */
const MEASURE_SOON_MS = 50
const TIMEOUT_MS = 6_000
/** Above this number, one fence blocks all channels. */
const MAX_FENCES = 1_000

// detects by its timeline a replica that did not follow the failover
const PRIMARY = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS position,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int AS timeline`
const REPLICA = `SELECT pg_is_in_recovery() AS "isReplica", pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position,
  greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery())) AS timeline`

// differs after a restart and on another server
const SERVER = `SELECT concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port()) AS server`

type End = { position: Position; timeline: number }
type StandbyState = { isReplica: boolean; position: Position | null; timeline: number }

/** Reads may use the replica after it replayed the WAL up to `position`. Infinity: not measured yet. */
type Fence = { position: Position }

/** A message to one member blocks only the reads of that member. */
const fenceOf = (channel: string, payload: string) =>
  channel === 'members' ? `members ${payload.split(' ')[0]}` : channel

/** Measures the replica's lag. The replica may be down at any time. It serves no reads at a lag of `mostSeconds`. */
export function openReplica(
  { url, mostSeconds }: { url: string; mostSeconds: number },
  { database, bus, size = 16 }: { database: Database; bus: Bus; size?: number },
) {
  /** Opens a pool to one server. The address may lead to several standbys, but a position belongs to one server. */
  function openStandby() {
    let server: string | undefined
    const checkServer = async (client: pg.ClientBase) => {
      const { rows } = await client.query<{ server: string }>(SERVER)
      const reached = rows[0]!.server
      server ??= reached
      if (reached === server) return
      const error = new Error('the address of the replica leads to another server than before')
      leave(opened, error)
      // close the socket, because the pool waits until a rejected connection has ended
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
  /** The replica has all writes up to this time. */
  let caughtUpAt = -Infinity
  /** A measured end of the primary's WAL. The lag is known when the replica reaches it. */
  let lagMark = { position: Infinity, at: -Infinity }
  let isUp = false
  let isClosed = false
  let measuring: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  // messages before the first measurement are unknown, so block all reads until then
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

  /** Measures both WAL positions. The primary's comes first, so that it covers all messages received before. */
  async function measure(measured: Database) {
    const open = [...fences.values()].filter(({ position }) => position === Infinity)
    const at = performance.now()
    const [end] = (await database.pool.query<End>(PRIMARY)).rows
    for (const fence of open) fence.position = end!.position
    const { isReplica, position, timeline } = (await measured.pool.query<StandbyState>(REPLICA)).rows[0]!
    if (!isReplica || position === null || timeline !== end!.timeline)
      throw new Error(isReplica ? 'the replica follows another primary' : 'READ_DATABASE_URL is no replica')
    if (measured !== standby) return
    replayed = position
    if (replayed >= end!.position) caughtUpAt = at
    else if (replayed >= lagMark.position) caughtUpAt = lagMark.at
    if (replayed >= lagMark.position || lagMark.position === Infinity) lagMark = { position: end!.position, at }
    for (const [key, fence] of fences) if (fence.position <= replayed) fences.delete(key)
    if (!isUp) log.info('reads go to the replica', {})
    isUp = true
  }

  /** Discards a pool and its measurements. The next measurement may reach another server. */
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

  /** Runs a read on the replica if it has the state in `known`. Otherwise or after an error, uses the primary. */
  async function read<T>(known: KnownPosition, primary: Database, work: (on: Database) => Promise<T>): Promise<T> {
    if (!isUsable() || !hasAll(known)) return work(primary)
    const used = standby
    try {
      return await work(used)
    } catch (error) {
      // a regular outcome, such as a 404
      if (error instanceof Failure) throw error
      // a single slow or cancelled read does not mean that the replica is down
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
    /** Returns the primary's WAL position, after the writes of a request. */
    position: async (): Promise<Position> => (await database.pool.query<End>(PRIMARY)).rows[0]!.position,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await measuring
      clearTimeout(timer)
      await Promise.all([closeDatabase(standby), ...closing])
    },
  }
}
