import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

// Every command first installs the packages, finds Node 24 and builds the pages, if necessary. Plain JavaScript, because
// the Node that runs npm may be older.

export const ROOT = join(import.meta.dirname, '..')
const at = (...path) => join(ROOT, ...path)

function giveUp(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** Installs the packages and, if asked, builds the pages. Returns the Node that runs everything else. */
export function prepare({ isBuilt = true, isForced = false } = {}) {
  ensureInstalled()
  const node = findNode()
  if (isBuilt) ensureBuilt(node, isForced)
  return node
}

/** Runs `npm ci` unless node_modules matches the lockfile. */
function ensureInstalled() {
  if (isImage() || isInstalled()) return
  process.stderr.write('Installing the packages of package-lock.json; this takes a minute or so, once.\n')
  const npm = process.env.npm_execpath
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 }
  const args = ['ci', '--include=dev', '--no-progress', '--loglevel=error']
  const ended = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (ended.status === 0) return
  const lines = `${ended.stdout ?? ''}${ended.stderr ?? ''}${ended.error?.message ?? ''}`.trim().split('\n')
  process.stderr.write(`${lines.slice(-24).join('\n')}\n`)
  giveUp('The packages could not be installed: npm says why above. Fix that and start again.')
}

/** An image contains installed packages, but no lockfile. */
const isImage = () => process.env.NODE_ENV === 'production' && !existsSync(at('package-lock.json'))

/** Compares the lockfile with the list that npm writes at the end of an installation. */
function isInstalled() {
  const wanted = readPackages(at('package-lock.json'))
  const present = readPackages(at('node_modules/.package-lock.json'))
  if (!wanted) giveUp('package-lock.json is missing or cannot be read. Take it from the repository again.')
  if (!present) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = present[path]
    return found ? found.version === version && found.integrity === integrity : optional
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

const MIN_NODE = [24, 7]

/** Returns the Node from the packages. Platforms without one (macOS) use the running Node if it is new enough. */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const bundled = at('node_modules', `node-${system}-${process.arch}`, 'bin', system === 'win' ? 'node.exe' : 'node')
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status === 0) return bundled
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return process.execPath
  return giveUp(
    `Primo needs Node ${MIN_NODE.join('.')} or newer; this is ${process.versions.node}. Install it from https://nodejs.org.`,
  )
}

/** The scripts that the build and vite.config.ts import. */
const BUILD_SCRIPTS = [
  ...['browserContracts', 'browsers', 'browserStandIns', 'build', 'chunks'],
  ...['firstLoad', 'manifest', 'namedIcons', 'pdfFiles'],
].map((name) => `scripts/${name}.ts`)
const INPUTS = ['src', 'public', 'index.html', 'vite.config.ts', ...BUILD_SCRIPTS, 'package-lock.json']

/** Builds the pages unless dist/ was built from the same inputs. */
function ensureBuilt(node, isForced) {
  const build = at('scripts/build.ts')
  if (!existsSync(build)) return
  const stamp = at('dist/.stamp')
  const wanted = hashInputs()
  if (!isForced && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write('Building the pages.\n')
  rmSync(stamp, { force: true })
  const ended = spawnSync(node, [...FLAGS, build], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
  if (ended.status !== 0) {
    process.stderr.write(`${ended.stdout ?? ''}${ended.stderr ?? ''}`)
    giveUp('The pages could not be built; the cause is above.')
  }
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(stamp, wanted)
}

function hashInputs() {
  const hash = createHash('sha256')
  for (const path of INPUTS.flatMap(listFiles))
    for (const part of [path, readFileSync(at(path))]) hash.update(part).update('\0')
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(at(path))) return []
  if (path.includes('.')) return [path]
  return readdirSync(at(path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|server)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort()
}

const FLAGS = ['--disable-warning=ExperimentalWarning', ...(existsSync(at('.env')) ? [`--env-file=${at('.env')}`] : [])]
// Stops the shop if its parent exits, because npm does not always forward signals.
const FOLLOW = `const parent = process.ppid
setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 1000).unref()`

/** Runs `file` as a child with the streams, signals and exit code of this process. */
export function become(node, file, args, flags = []) {
  const follow = `data:text/javascript,${encodeURIComponent(FOLLOW)}`
  const child = spawn(node, [...FLAGS, '--import', follow, ...flags, at(file), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    // Saves a quarter of a second at every start.
    env: { NODE_COMPILE_CACHE: at('node_modules/.cache/node'), ...process.env },
  })
  let lastSignalAt = -Infinity
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C arrives from the terminal and from npm; forward it once.
      if (performance.now() - lastSignalAt > 1000) child.kill(signal)
      lastSignalAt = performance.now()
    })
  }
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref()
  }
  child.on('error', (error) => giveUp(`${file} could not be started: ${error.message}.`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
