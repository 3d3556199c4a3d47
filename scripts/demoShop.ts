import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type LaunchOptions, type Page } from '@playwright/test'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/port.server.ts'
import { findChromium } from './chromium.ts'

export type DemoShop = { url: string; dataDir: string; stop: () => Promise<void> }

/** Starts the demo store in a separate process and data folder. */
export async function startDemoShop(): Promise<DemoShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-demo-'))
  const port = await findFreePort()
  const shop = await startShop(port, { NODE_ENV: 'development', DATA_DIR: dataDir })
  const stop = async () => {
    await shop.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: `http://localhost:${port}`, dataDir, stop }
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
export async function signIn(page: Page, { url, dataDir }: DemoShop) {
  type Account = { role: string; email: string; password: string }
  const accounts = JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8')) as Account[]
  const { email, password } = accounts.find(({ role }) => role === 'shopper')!
  await page.goto(`${url}/api/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
