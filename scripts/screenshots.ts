import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findTestBrowser } from './chromium.ts'
import { takeReadmePictures } from './readmePictures.ts'

// Takes the pictures of README.md, docs/journey.md and docs/screens/ in separate demo stores.
//   screenshots.ts                    all
//   screenshots.ts readme | screens   only these

const ROOT = join(import.meta.dirname, '..')
const SETS = ['readme', 'journey', 'screens'] as const

const asked = process.argv.slice(2)
const unknown = asked.find((word) => !SETS.some((set) => set === word))
if (unknown) throw new Error(`${unknown}: choose from ${SETS.join(', ')}`)
const isAsked = (set: (typeof SETS)[number]) => asked.length === 0 || asked.includes(set)

const { path: executablePath, problem } = await findTestBrowser()
if (!executablePath) throw new Error(problem)
if (isAsked('readme')) await takeReadmePictures(executablePath)
const hasJourney = !isAsked('journey') || runRecorder(['e2e/journey.spec.ts', '-g', 'taps'], 'RECORD_JOURNEY')
// Each screen is a test: the others are taken when one fails, and the report ends with its name.
const hasScreens = !isAsked('screens') || runRecorder(['e2e/screenPictures.ts', '--retries=0'], 'RECORD_SCREENS')
process.exitCode = hasJourney && hasScreens ? 0 : 1

/** Runs browser tests that take pictures if the variable is set. */
function runRecorder(args: string[], variable: string): boolean {
  const all = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list', ...args]
  const env = { ...process.env, [variable]: '1', CHROMIUM_PATH: executablePath }
  return spawnSync(process.execPath, all, { cwd: ROOT, env, stdio: 'inherit' }).status === 0
}
