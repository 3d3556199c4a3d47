import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { type APIRequestContext, expect } from '@playwright/test'
import { findFreePort } from '../src/kit/serve/port.server.ts'

// Separate shops, for tests that need other settings than the shared shop has.

export type OwnShop = { url: string; stop: () => Promise<void> }

/** Starts a shop with these settings and a new data folder. */
export async function startOwnShop(settings: Record<string, string>): Promise<OwnShop> {
  const port = await findFreePort()
  const dataDir = mkdtempSync(pathOf(tmpdir(), 'primo-own-'))
  // PostgreSQL may run as another user
  chmodSync(dataDir, 0o755)
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/app/main.server.ts'],
    {
      env: {
        ...process.env,
        ...settings,
        PORT: String(port),
        DATA_DIR: dataDir,
        RATE_LIMIT_SCALE: '0',
        LOG_LEVEL: 'warn',
      },
      stdio: 'inherit',
    },
  )
  const url = `http://localhost:${port}`
  await expect
    .poll(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status, { timeout: 120_000 })
    .toBe(200)
  return {
    url,
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill()
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Signs a new member in to the shop at `url`, by the calls of the sign-up form. Returns the address. */
export async function openAccount(request: APIRequestContext, url: string): Promise<string> {
  const email = `${crypto.randomUUID()}@test.example`
  await request.post(`${url}/api/login/sign-up`, { form: { email }, headers: { origin: url } })
  const mails = await (await request.get(`${url}/dev/mail`)).text()
  const mail = mails.slice(mails.indexOf(`To ${email}`))
  const link = /href="([^"]+)"[^>]*>\s*Confirm/.exec(mail)?.[1]
  if (!link) throw new Error('there is no mail to confirm the address')
  await request.get(link.replaceAll('&amp;', '&'))
  return email
}

/** Signs a new member with a name and a password in to the shop at `url` and returns the account. */
export async function join(request: APIRequestContext, url: string, firstName = 'Robin') {
  const headers = { origin: url }
  const account = { email: await openAccount(request, url), password: `quiet ${crypto.randomUUID()}` }
  const changes = {
    password: { newPassword: account.password },
    profile: { firstName, lastName: '', pictureURL: null },
  }
  for (const [what, data] of Object.entries(changes)) {
    const answer = await request.put(`${url}/api/account/${what}`, { data, headers })
    if (!answer.ok()) throw new Error(`${what}: ${await answer.text()}`)
  }
  return account
}
