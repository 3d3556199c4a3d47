import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3StandIn, startS3 } from '../sandbox/s3/server.ts'
import type { Home } from '../src/kit/embedded/home.server.ts'
import { findPostgresAccount, isRoot, run } from '../src/kit/embedded/programs.server.ts'
import {
  copyBase,
  makeFolder,
  openRestored,
  openServer,
  type OwnServer,
  serveHome,
  waitUntilPromoted,
} from './postgres.ts'
import { required } from '../src/kit/values/required.ts'

// A server with a continuously archived WAL. pgBackRest or PostgreSQL's own tools restore it to a point in time.

export type Archived = {
  server: OwnServer
  backUp: () => Promise<void>
  check: () => Promise<string | null>
  restore: (until: string) => Promise<OwnServer>
  remove: () => Promise<void>
}

const SETTINGS = { fsync: 'off', shared_buffers: '32MB', wal_level: 'replica', max_wal_senders: 2, archive_mode: 'on' }

/** Debian's folders of the PostgreSQL versions that pgBackRest 2.45 and newer support. */
const FOLDERS = [15, 16, 17].map((version) => `/usr/lib/postgresql/${version}/bin`)
const programsOf = () => FOLDERS.find((folder) => existsSync(join(folder, 'postgres')))

export const hasPgBackRest = () => spawnSync('pgbackrest', ['version']).status === 0 && programsOf() !== undefined

export async function openPlainArchive(): Promise<Archived> {
  const archive = mkdtempSync(join(tmpdir(), 'primo-archive-'))
  chmodSync(archive, 0o777)
  const server = await openServer({ ...SETTINGS, archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` })
  let base = ''
  let restored: OwnServer | undefined
  return {
    server,
    backUp: async () => void (base = await copyBase(server)),
    check: async () => null,
    restore: async (until) => {
      await server.stop('immediate')
      restored = await openRestored(base, { archive, until, settings: server.settings })
      return restored
    },
    remove: async () => {
      await restored?.remove()
      await server.remove()
      rmSync(archive, { recursive: true, force: true })
    },
  }
}

/**
 * Starts PostgreSQL from system packages with pgBackRest, configured as in docs/operating/point-in-time.md: one
 * repository on disk and one in a bucket. The drill restores from the bucket.
 */
export async function openPgBackRest(): Promise<Archived> {
  const account = isRoot ? await findPostgresAccount() : undefined
  const dir = await makeFolder()
  const own = (name: string) => {
    const path = join(dir, name)
    mkdirSync(path)
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  const [socket, repo, log, objects] = [own('socket'), own('repo'), own('log'), own('objects')]
  const s3 = await startS3({ folder: objects, tls: makeCertificate(dir) })
  if (account) chownSync(dir, account.uid, account.gid)
  const password = 'only for this drill'
  const passwordFile = join(dir, 'password')
  writeFileSync(passwordFile, password, { mode: 0o644 })
  const bin = required(programsOf(), 'the programs of PostgreSQL')
  const pgDir = join(dir, 'data')
  const inBin = (name: string) => join(bin, name)
  const must = async (program: string, args: string[]) => {
    const { code, output } = await run(program, args, { account, cwd: dir })
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`)
    return output
  }
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
  await must(inBin('initdb'), [
    '-D',
    pgDir,
    '-U',
    'postgres',
    ...auth,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const programs = { initdb: inBin('initdb'), postgres: inBin('postgres'), pgCtl: inBin('pg_ctl') }
  const home: Home = { dir, pgDir, logFile: join(dir, 'server.log'), password, account, programs }
  const config = join(dir, 'pgbackrest.conf')
  const tool = ['--config', config, '--stanza=shop']
  const server = await serveHome(home, dir, {
    ...SETTINGS,
    unix_socket_directories: socket,
    archive_command: `pgbackrest --config=${config} --stanza=shop archive-push %p`,
  })
  const { port } = new URL(server.urlOf('postgres'))
  writeFileSync(
    config,
    `[global]
repo1-path=${repo}
repo1-retention-full=2
${bucketOf(s3)}
log-path=${log}
lock-path=${log}
spool-path=${log}
start-fast=y
compress-type=zst

[shop]
pg1-path=${pgDir}
pg1-port=${port}
pg1-socket-path=${socket}
pg1-user=postgres
`,
  )
  const pgbackrest = (...args: string[]) => must('pgbackrest', [...tool, ...args])
  await pgbackrest('stanza-create')
  return {
    server,
    backUp: async () => {
      for (const repo of [1, 2]) await pgbackrest(`--repo=${repo}`, '--type=full', 'backup')
    },
    check: async () => {
      await pgbackrest('check')
      return pgbackrest('--output=json', 'info')
    },
    restore: async (until) => {
      await server.stop('immediate')
      await pgbackrest('--repo=2', '--delta', '--type=time', `--target=${until}`, '--target-action=promote', 'restore')
      await server.start()
      await waitUntilPromoted(server)
      return server
    },
    remove: async () => {
      await server.remove()
      await s3.stop()
    },
  }
}

const bucketOf = ({ endpoint, bucket, region, key, secret }: S3StandIn) => `repo2-type=s3
repo2-path=/pgbackrest
repo2-s3-endpoint=${new URL(endpoint).hostname}
repo2-storage-port=${new URL(endpoint).port}
repo2-s3-uri-style=path
repo2-s3-bucket=${bucket}
repo2-s3-region=${region}
repo2-s3-key=${key}
repo2-s3-key-secret=${secret}
repo2-storage-verify-tls=n
repo2-retention-full=4
repo2-cipher-type=aes-256-cbc
repo2-cipher-pass=only-for-this-drill`

function makeCertificate(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  spawnSync('openssl', [
    'req',
    '-x509',
    ...curve,
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ])
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
