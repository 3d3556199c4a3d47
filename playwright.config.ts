import { chmodSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'

// The tests run against the built shop with a data folder of its own. Every worker loads this file, so the environment
// carries the values that all workers share.
process.env.E2E_PORT ??= String(4500 + (process.pid % 400))
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'primo-e2e-'))
// As root, PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(process.env.E2E_DATA_DIR, 0o755)
const port = process.env.E2E_PORT
const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const isRoot = process.getuid?.() === 0

const quiet = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

// `npm run screenshots` runs only the file that takes pictures, in development: then the demo seller has sales.
const takesPictures = process.env.RECORD_SCREENS !== undefined

// These files run in one project. In the others the tags of e2e/shop.ts choose the width of a test.
const SAME_ON_BOTH =
  /(axe|chat|codes|credit|currency|dispute|engines|errors|finding|forms|gifts|invoices|learning|licenses|long|lostAnswers|methods|offline|passkeys|payment|payouts|price|product|push|readers|realtime|refund|returning|risk|selling|settings|signedOut|uploader|usdc|variants|webhooks)\.spec\.ts$/

export default defineConfig({
  testDir: 'e2e',
  testMatch: takesPictures ? 'screenPictures.ts' : '**/*.spec.ts',
  fullyParallel: true,
  // Two cores: tests wait more than they compute.
  workers: 3,
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: {
    actionTimeout: 25_000,
    baseURL: `http://localhost:${port}`,
    // A service worker would bypass the routes of a test.
    serviceWorkers: 'block',
    // Traces cost a quarter of the time: TRACE=1 npm run e2e
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: isRoot ? ['--no-sandbox', ...quiet] : quiet,
      ...(existsSync(chromium) && { executablePath: chromium }),
    },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: /@wide/,
      use: { ...devices['Pixel 7'], deviceScaleFactor: 1, viewport: { width: 390, height: 844 } },
    },
    {
      name: 'desktop',
      testIgnore: SAME_ON_BOTH,
      grepInvert: /@once/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
  ],
  webServer: {
    command: `"${process.execPath}" --disable-warning=ExperimentalWarning src/app/main.server.ts`,
    url: `http://localhost:${port}/readyz`,
    timeout: 150_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    // in the mode of tests webhooks may go to this machine
    env: {
      ...{ PORT: port, DATA_DIR: process.env.E2E_DATA_DIR, NODE_ENV: takesPictures ? 'development' : 'test' },
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'warn',
    },
  },
})
