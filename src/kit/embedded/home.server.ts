import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Account,
  type Programs,
  SHARED_FOLDER,
  canEnter,
  findPostgresAccount,
  findPrograms,
  isRoot,
  lastLine,
  makeSharedFolder,
  run,
} from './programs.server.ts'
import { operatorFailure } from '../failure.ts'

// DATA_DIR/postgres holds the embedded database: data/ (PostgreSQL's files), password, server.log. It is created under
// a temporary name and then renamed, so that concurrent or killed first starts leave no incomplete folder.

export type Home = {
  dir: string
  pgDir: string
  logFile: string
  password: string
  account: Account
  programs: Programs
}

const VERSION = '18'
const MEGABYTE = 1024 * 1024
const UNFINISHED = 'postgres.new-'
const ABANDONED_MS = 10 * 60_000

type Options = {
  dataDir: string
  say: (line: string) => void
  leastFreeBytes: number
  /** False skips syncing to disk. */
  isSafe: boolean
}

export async function openHome({ dataDir, say, leastFreeBytes, isSafe }: Options): Promise<Home> {
  await checkFolder(dataDir, leastFreeBytes)
  const entry = join(dataDir, 'postgres')
  const found = await fs.lstat(entry).catch(() => undefined)
  if (!found) await makeHome(dataDir, entry, isSafe)
  const dir = await fs.realpath(entry).catch(() => {
    throw operatorFailure(
      `${entry} points to a folder that is gone. Put it back from a backup, or give another DATA_DIR.`,
    )
  })
  if (dir !== entry && dir.startsWith(SHARED_FOLDER)) {
    say(`The user postgres cannot enter ${dataDir}, so the database's files are in ${dir}.`)
  }
  const pgDir = join(dir, 'data')
  await checkVersion(pgDir)
  const account = await takeOver(dir, pgDir)
  const password = await fs.readFile(join(dir, 'password'), 'utf8').catch(() => {
    throw operatorFailure(`${join(dir, 'password')} cannot be read; the database needs it. Put it back from a backup.`)
  })
  const programs = await findPrograms(account)
  return { dir, pgDir, logFile: join(dir, 'server.log'), password: password.trim(), account, programs }
}

async function checkFolder(dataDir: string, leastFreeBytes: number) {
  try {
    await fs.mkdir(dataDir, { recursive: true })
    await fs.access(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw operatorFailure(`DATA_DIR: ${dataDir} is not a folder but a file. Give another DATA_DIR.`)
    }
    throw operatorFailure(`DATA_DIR: ${dataDir} cannot be written (${code}). Give a folder that this user may write.`)
  }
  const disk = await fs.statfs(dataDir)
  const free = disk.bavail * disk.bsize
  if (free < leastFreeBytes) {
    const [left, needed] = [free, leastFreeBytes].map((bytes) => Math.floor(bytes / MEGABYTE))
    throw operatorFailure(
      `The disk of ${dataDir} has ${left} MB left; Primo needs ${needed} MB. Free some, or give another DATA_DIR.`,
    )
  }
}

async function checkVersion(pgDir: string) {
  const version = await fs.readFile(join(pgDir, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw belongsToAnother(pgDir)
    throw operatorFailure(
      `The database in ${pgDir} is damaged: PG_VERSION is missing. Nothing was changed; restore a backup, or give another DATA_DIR.`,
    )
  })
  if (version.trim() === VERSION) return
  throw operatorFailure(
    `The database in ${pgDir} is of PostgreSQL ${version.trim()}, this Primo runs ${VERSION}. Nothing was changed; start the Primo that made it, or give another DATA_DIR.`,
  )
}

/** Returns the owner of the files, who runs the database. Gives files of root (a restored copy) to `postgres`. */
async function takeOver(dir: string, pgDir: string): Promise<Account> {
  const { uid, gid } = await fs.stat(pgDir)
  if (!isRoot) {
    if (process.getuid && uid !== process.getuid()) throw belongsToAnother(pgDir)
    return undefined
  }
  if (uid !== 0) return { uid, gid }
  const account = await findPostgresAccount()
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, dir])
  return account
}

function belongsToAnother(pgDir: string) {
  return operatorFailure(
    `The database in ${pgDir} belongs to another user. Start Primo as that user, or give another DATA_DIR.`,
  )
}

async function makeHome(dataDir: string, entry: string, isSafe: boolean) {
  await sweep(dataDir)
  const account = isRoot ? await findPostgresAccount() : undefined
  const programs = await findPrograms(account)
  const isHere = await canEnter(account, dataDir)
  if (!isHere) await makeSharedFolder()
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 8)
  const temporary = await fs.mkdtemp(isHere ? join(dataDir, UNFINISHED) : join(SHARED_FOLDER, `${name}-`))
  try {
    await initialise(temporary, account, programs, isSafe)
    await (isHere ? fs.rename(temporary, entry) : fs.symlink(temporary, entry))
  } catch (error) {
    await fs.rm(temporary, { recursive: true, force: true })
    // a concurrent start was faster: use its database
    if (!(await fs.lstat(entry).catch(() => undefined))) throw error
  }
}

// uses the first locale that the system has. It classifies characters; PostgreSQL's provider does sorting and case
const CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C']

async function initialise(dir: string, account: Account, programs: Programs, isSafe: boolean) {
  const passwordFile = join(dir, 'password')
  await fs.writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600 })
  if (account) {
    await fs.chown(dir, account.uid, account.gid)
    await fs.chown(passwordFile, account.uid, account.gid)
  }
  let output = ''
  for (const ctype of CTYPES) {
    const args = ['-D', join(dir, 'data'), '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    args.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C')
    args.push(`--lc-ctype=${ctype}`, ...(isSafe ? [] : ['--no-sync']))
    const made = await run(programs.initdb, args, { account, cwd: dir })
    if (made.code === 0) return
    output = made.output
    if (!/locale/i.test(output)) break
    await fs.rm(join(dir, 'data'), { recursive: true, force: true })
  }
  const cause = /error: (.*)/.exec(output)?.[1] ?? lastLine(output)
  throw operatorFailure(
    `The database could not be made in ${dir}: ${cause}. Nothing is left of it; mend that and start again.`,
  )
}

async function sweep(dataDir: string) {
  for (const name of await fs.readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue
    const left = join(dataDir, name)
    const age = Date.now() - (await fs.stat(left).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
    if (age > ABANDONED_MS) await fs.rm(left, { recursive: true, force: true })
  }
}
