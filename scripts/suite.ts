import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { hasSwift, SWIFT_PACKAGES } from '../sandbox/s3/swift.ts'
import { findTestBrowser } from './chromium.ts'
import { installPackages } from './debian.ts'
import {
  afterSecondLook,
  nameFailures,
  type Outcome,
  readPlaywright,
  readVitest,
  notesOf,
  withoutPassed,
} from './suite.rules.ts'

// Runs the whole suite. Prints the result and the time of each part, the names and output of failed tests, and the
// total on the last line. Runs failed tests once more, because a busy machine can make a test time out, and lists each
// test that passed only then. The runners themselves do not retry.
//   suite.ts            everything
//   suite.ts --quick    tests without browsers, killed servers and second run
//   suite.ts lint unit  only these parts

type Run = { code: number | null; output: string }
type Part = { name: string; run: () => Promise<Result> }

const ROOT = join(import.meta.dirname, '..')
const inPackages = (path: string) => join(ROOT, 'node_modules', path)
const TIMEOUT_MS = 40 * 60_000
const SWIFT_MS = 2 * 60_000
const IN_MEMORY = '/dev/shm'
// Disables colours. Vitest reads any FORCE_COLOR as yes, and Node warns about NO_COLOR next to Playwright's variable.
const PLAIN_VITEST = { NO_COLOR: '1', FORCE_COLOR: undefined }
const PLAIN_PLAYWRIGHT = { FORCE_COLOR: '0', NO_COLOR: undefined }
// More failures than this are not caused by a busy machine.
const MAX_RUN_TWICE = 4

const SLOW = [
  'drill/**',
  'src/kit/embedded/*.test.ts',
  'sandbox/loading.test.ts',
  'sandbox/paypal/sdk.test.ts',
  'scripts/launch.test.ts',
  'scripts/shop.test.ts',
  'scripts/shop/**',
]

const asked = process.argv.slice(2)
const isQuick = asked.includes('--quick')
const scratch = mkdtempSync(join(hasMemoryToSpare() ? IN_MEMORY : tmpdir(), 'primo-suite-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
// PostgreSQL cannot run as root. It runs as another user, who must be able to enter the folder.
chmodSync(scratch, 0o755)
process.env.TMPDIR = scratch

/** Test databases and browsers write many short-lived files. Memory is faster than a disk for them. */
function hasMemoryToSpare(): boolean {
  if (!existsSync(IN_MEMORY)) return false
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) > 8 * 1024 ** 3
}

function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const late = setTimeout(() => {
      output += `\nstill running after ${TIMEOUT_MS / 60_000} minutes; ended\n`
      child.kill('SIGINT')
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
    }, TIMEOUT_MS)
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => (output += error.message))
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code, output })
    })
  })
}

/** A check counts as one test. */
async function runCheck(...runs: Promise<Run>[]) {
  const done = await Promise.all(runs)
  const isPassed = done.every(({ code }) => code === 0)
  const output = done.map((one) => one.output).join('')
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0, failures: [], unsteady: [], output }
}

type Result = Outcome & { output: string }

async function runTwice(
  run: (name: string, args: string[]) => Promise<Result>,
  args: string[],
  again: (files: string[]) => string[],
) {
  const first = await run('first', args)
  const { failures } = first
  if (isQuick || failures.length === 0 || failures.length > MAX_RUN_TWICE) return first
  const second = await run('second', again([...new Set(failures.map(({ file }) => relative(ROOT, file)))]))
  return { ...afterSecondLook(first, second), output: `${first.output}\n--- second run\n${second.output}` }
}

async function runVitest(name: string, args: string[]) {
  const report = join(scratch, `unit-${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code, output } = await run(inPackages('vitest/vitest.mjs'), ['run', ...reporters, ...args], PLAIN_VITEST)
  return { ...readVitest(read(report), code), output }
}

async function runUnit() {
  const note = isQuick || hasSwift() ? '' : installSwift()
  const result = await runTwice(runVitest, excluded, (files) => files)
  return { ...result, output: `${note}${result.output}` }
}

/** Installs a real S3 server for tests, once. Without it, tests use only the sandbox. */
function installSwift(): string {
  process.stderr.write('Installing Swift for the tests, once.\n')
  const { isTried, problem } = installPackages(SWIFT_PACKAGES, SWIFT_MS)
  return isTried && !hasSwift() ? `SKIPPED: Swift could not be installed: ${problem}\n` : ''
}

async function runPlaywright(name: string, given: string[]) {
  const report = join(scratch, `browser-${name}.json`)
  const { path, problem } = await findTestBrowser()
  if (!path) return { ...readPlaywright(undefined, null), output: problem }
  // A full run needs only Chromium.
  const engines = names.includes('browser') ? '1' : '0'
  const env = { CHROMIUM_PATH: path, E2E_ENGINES: engines, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...PLAIN_PLAYWRIGHT }
  const args = ['test', '--reporter=list,json', ...given]
  const { code, output } = await run(inPackages('@playwright/test/cli.js'), args, env)
  return { ...readPlaywright(read(report), code), output }
}

function read(file: string): object | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return undefined
  }
}

// The projects run in parallel. With several checkers, each project would check the shared types more than once.
const tsc = (project: string) => run(inPackages('typescript/bin/tsc'), ['-p', project, '--checkers', '1'])
const checks: Part[] = [
  {
    name: 'types',
    run: () =>
      runCheck(...['server', 'browser', 'clientTests', 'worker', 'e2e'].map((side) => tsc(`tsconfig.${side}.json`))),
  },
  { name: 'lint', run: () => runCheck(run(inPackages('oxlint/bin/oxlint'), ['--deny-warnings'])) },
  { name: 'format', run: () => runCheck(run(inPackages('prettier/bin/prettier.cjs'), ['--check', '.'])) },
]
const excluded = isQuick ? SLOW.map((files) => `--exclude=${files}`) : []
const rest: Part[] = [{ name: 'unit', run: runUnit }]
if (!isQuick)
  rest.push(
    { name: 'browser', run: () => runTwice(runPlaywright, [], () => ['--last-failed']) },
    { name: 'size', run: () => runCheck(run(join(ROOT, 'scripts/size.ts'), [])) },
  )

const names = asked.filter((name) => !name.startsWith('-'))
const isAsked = (part: Part) => names.length === 0 || names.includes(part.name)
const total = { passed: 0, failed: 0 }
const outputs: string[] = []

const indent = (names: string) => names.replaceAll(`${ROOT}/`, '').replaceAll(/^/gm, '        ')

async function report(part: Part) {
  const start = performance.now()
  const { passed, failed, skipped, failures, unsteady, output } = await part.run()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
  console.log(`${failed || !passed ? 'FAILED' : 'ok    '}  ${part.name.padEnd(8)} ${counts}, ${seconds} s`)
  if (unsteady.length > 0) console.log(`        passed at the second try only:\n${indent(nameFailures(unsteady))}`)
  for (const note of notesOf(output)) console.log(`        ${note}`)
  total.passed += passed
  total.failed += failed
  if (!failed && passed) return
  if (failures.length > 0) console.log(indent(nameFailures(failures)))
  outputs.push(`--- ${part.name}\n${withoutPassed(output)}\n`)
}

const running = [...checks, ...rest].filter(isAsked).map(({ name }) => name)
console.log(`Running ${running.join(', ')}.`)
await Promise.all(checks.filter(isAsked).map(report))
for (const part of rest.filter(isAsked)) await report(part)
for (const output of outputs) console.log(`\n${output}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
