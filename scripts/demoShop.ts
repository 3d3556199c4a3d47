import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type LaunchOptions, type Page } from '@playwright/test'
import { findFreePort } from '../src/kit/port.server.ts'
import { findChromium } from './chromium.ts'

export type DemoShop = { url: string; dataDir: string; stop: () => Promise<void> }

/** Starts the demo store in a separate process and data folder. */
export async function startDemoShop(): Promise<DemoShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-demo-'))
  const port = String(await findFreePort())
  const url = `http://localhost:${port}`
  const shop = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../src/app/main.server.ts')],
    {
      env: { ...process.env, PORT: port, DATA_DIR: dataDir, RATE_LIMIT_SCALE: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const stop = async () => {
    shop.kill('SIGTERM')
    if (shop.exitCode === null) await new Promise((done) => shop.once('exit', done))
    rmSync(dataDir, { recursive: true, force: true })
  }
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; tries < 120 && shop.exitCode === null; tries++) {
    if (await isReady()) return { url, dataDir, stop }
    await sleep(500)
  }
  await stop()
  throw new Error('the shop did not start')
}

/** Launch options for the browser of the tests. Chromium refuses to run as root with its sandbox. */
export async function launchOptions(args: string[] = []): Promise<LaunchOptions> {
  const { path, problem } = await findChromium()
  if (problem) throw new Error(problem)
  const isRoot = process.getuid?.() === 0
  return { executablePath: path, args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : []), ...args] }
}

export const launchBrowser = async () => chromium.launch(await launchOptions())

/** Signs in a demo account and waits for the home page. */
export async function signIn(page: Page, { url, dataDir }: DemoShop, who = 'shopper') {
  type Account = { role: string; email: string; password: string }
  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as Account[]
  const { email, password } = accounts.find(({ role }) => role === who)!
  await page.goto(`${url}/api/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
