import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './debian.ts'

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ON_MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const SHELL = 'chromium-headless-shell'

/**
 * Finds the browser for tests: CHROMIUM_PATH, or Chromium's headless shell, which needs a third less processor time. On
 * Debian, root installs the shell. If it is missing, tests use the result of `findChromium`.
 */
export async function findTestBrowser(): Promise<{ path?: string; problem: string }> {
  if (process.env.CHROMIUM_PATH) return findChromium()
  const shell = findOnPath([SHELL]) ?? (install(SHELL) && findOnPath([SHELL]))
  return shell ? { path: shell, problem: '' } : findChromium()
}

/** Finds a working Chromium: CHROMIUM_PATH, an installed one, Debian's package (as root), or Playwright's. */
export async function findChromium(): Promise<{ path?: string; problem: string }> {
  const given = process.env.CHROMIUM_PATH
  if (given) return doesRun(given) ? { path: given, problem: '' } : { problem: `CHROMIUM_PATH: ${given} does not run.` }
  const found = findInstalled()
  if (found) return { path: found, problem: '' }
  const { chromium } = await import('@playwright/test')
  if (!existsSync(chromium.executablePath())) {
    process.stderr.write('Installing a Chromium for the tests, once.\n')
    const byPackage = install('chromium') && findInstalled()
    if (byPackage) return { path: byPackage, problem: '' }
    const problem = installOwn()
    if (problem) return { problem: `No Chromium could be installed; install one or set CHROMIUM_PATH.\n${problem}` }
  }
  const own = chromium.executablePath()
  if (doesRun(own)) return { path: own, problem: '' }
  return { problem: `${own} does not run; as root, 'npx playwright install-deps chromium' installs what it lacks.` }
}

function findInstalled(): string | undefined {
  return findOnPath(ON_PATH) ?? ON_MAC.find(isThere)
}

function findOnPath(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isThere)
}

const isThere = (path: string) => existsSync(path) && doesRun(path)

// Ubuntu's chromium-browser can be a script that only asks the user to install a snap.
function doesRun(path: string): boolean {
  return process.platform === 'win32' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

const install = (name: string) => installPackages([name]).problem === ''

function installOwn(): string {
  const cli = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')
  const deps = process.getuid?.() === 0 && process.platform === 'linux' ? ['--with-deps'] : []
  const ended = spawnSync(process.execPath, [cli, 'install', ...deps, 'chromium'], { encoding: 'utf8' })
  return ended.status === 0 ? '' : `${ended.stdout}${ended.stderr}`.trim()
}
