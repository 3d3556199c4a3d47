import pg from 'pg'
import { missingForPatroni, openPatroni, type Patroni } from './patroni.ts'
import { openServer, openStandby } from './postgres.ts'
import { missingForHaproxy } from './proxies.ts'

// The database of the cluster drill: three servers under Patroni behind HAProxy, or a server with one standby.

export type ClusterDatabase = {
  url: string
  replicaUrl: string
  standbyUrls: () => Promise<string[]>
  /** Null if the packages are missing: then no standby replaces a dead primary. */
  patroni: Patroni | null
  stop: () => Promise<void>
}

export const missingForDatabase = () => [...missingForPatroni(), ...missingForHaproxy()]

export async function openClusterDatabase(name: string): Promise<ClusterDatabase> {
  if (missingForDatabase().length === 0) {
    const patroni = await openPatroni(name)
    await create(patroni.adminUrl, name)
    const { url, replicaUrl, standbyUrls, stop } = patroni
    return { url, replicaUrl, standbyUrls, stop, patroni }
  }
  const settings = { wal_level: 'replica', max_wal_senders: 4, max_connections: 200, hot_standby_feedback: 'on' }
  const primary = await openServer(settings)
  const standby = await openStandby(primary)
  await create(primary.urlOf('postgres'), name)
  return {
    url: primary.urlOf(name),
    replicaUrl: standby.urlOf(name),
    standbyUrls: async () => [standby.urlOf(name)],
    patroni: null,
    stop: async () => {
      await standby.remove()
      await primary.remove()
    },
  }
}

async function create(adminUrl: string, name: string) {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  await client.end()
}
