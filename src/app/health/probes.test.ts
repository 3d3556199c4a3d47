import { chmodSync, renameSync } from 'node:fs'
import { createServer as createWebServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect, test as base, type TestContext, vi } from 'vitest'
import { openFakeModel } from '../../../test/model.ts'
import { openTestShop, type TestShop } from '../../../test/shop.ts'
import { checkModel } from '../../assistant/model.server.ts'
import { readConfig } from '../settings.server.ts'
import { getStatus, getStatusDetails } from '../../monitoring/health/status.contract.ts'
import { readinessOf } from '../../monitoring/health/readiness.rules.ts'

// Each test waits for seconds and opens a separate shop.
const test = base.concurrent

const gradeOf = async (shop: TestShop, part: string) =>
  (await shop.call(getStatus, {})).find(({ name }) => name === part)?.grade

async function becomes({ expect }: TestContext, shop: TestShop, part: string, grade: string) {
  await expect.poll(() => gradeOf(shop, part), { timeout: 15_000, interval: 500 }).toBe(grade)
}

let opening: Promise<unknown> = Promise.resolve()

/** Opens one shop at a time. Several at once in this process would exceed their connection timeouts. */
async function open({ onTestFinished }: TestContext, env: Record<string, string> = {}) {
  const opened = opening.then(() => openTestShop(env))
  opening = opened.catch(() => undefined)
  const shop = await opened
  onTestFinished(() => shop.close())
  return shop
}

function startMailServer(port = 0): Promise<Server> {
  const server = createServer((socket) => {
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('data', (line) => socket.write(/^QUIT/i.test(String(line)) ? '221 bye\r\n' : '250 fine\r\n'))
    socket.on('error', () => undefined)
  })
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)))
}

test('counts sandboxes, unsent mail and a missing backup of a demo as not ready, each with its next step', async (context) => {
  const shop = await open(context)
  const readGrades = async () =>
    Object.fromEntries((await shop.call(getStatus, {})).map(({ name, grade }) => [name, grade]))
  // a busy machine can answer the first probe too late
  await expect.poll(readGrades, { timeout: 15_000, interval: 500 }).toEqual({
    database: 'ok',
    storage: 'ok',
    jobs: 'ok',
    mail: 'warn',
    mails: 'ok',
    payments: 'warn',
    ledger: 'ok',
    'exchange rates': 'off',
    AI: 'off',
    scanner: 'warn',
    disk: 'ok',
    backup: 'warn',
    'restore test': 'off',
    demo: 'warn',
  })
  await shop.database.pool.query(
    `INSERT INTO mails (key, recipient, subject, body_text, body_html) VALUES ('a', 'a@b.example', 'A', '', '')`,
  )
  await becomes(context, shop, 'mails', 'warn')
  const admin = await shop.join({ isAdmin: true })
  const warned = (await admin.call(getStatusDetails, {})).filter(({ grade }) => grade === 'warn')
  expect(warned.filter(({ mend }) => !mend)).toEqual([])
})

test('shows visitors a failed part, and administrators its cause and next step', async (context) => {
  const shop = await open(context, { SMTP_URL: 'smtp://user:hidden@127.0.0.1:1' })
  const answer = JSON.stringify(await shop.call(getStatus, {}))
  expect(answer).toContain('{"name":"mail","grade":"fail"}')
  expect(answer).not.toContain('127.0.0.1')
  const admin = await shop.join({ isAdmin: true })
  const mail = (await admin.call(getStatusDetails, {})).find(({ name }) => name === 'mail')
  expect(mail).toMatchObject({ says: expect.stringContaining('127.0.0.1'), mend: expect.stringContaining('SMTP_URL') })
  expect(JSON.stringify(mail)).not.toContain('hidden')
})

test('detects within 15 s that a mail server is down, and its return', { timeout: 60_000 }, async (context) => {
  const server = await startMailServer()
  const { port } = server.address() as { port: number }
  const shop = await open(context, { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'shop@shop.example' })
  await becomes(context, shop, 'mail', 'ok')
  await new Promise((done) => server.close(done))
  await becomes(context, shop, 'mail', 'fail')
  const again = await startMailServer(port)
  context.onTestFinished(() => void again.close())
  await becomes(context, shop, 'mail', 'ok')
})

test('detects an unresponsive payment provider, and its return', { timeout: 60_000 }, async (context) => {
  const shop = await open(context)
  const setFaults = (rate: number) =>
    fetch(`${shop.url}/sandbox/paypal/test/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rate, kinds: ['error'], latencyMs: 0 }),
    })
  await becomes(context, shop, 'payments', 'warn')
  expect((await setFaults(1)).status).toBeLessThan(300)
  await becomes(context, shop, 'payments', 'fail')
  await setFaults(0)
  await becomes(context, shop, 'payments', 'warn')
})

test('shows on both cards within 15 s that a model is down, and its return', { timeout: 60_000 }, async (context) => {
  const model = await openFakeModel()
  const shop = await open(context, model.settings)
  // Both cards render this.
  const readiness = async () => readinessOf(await shop.call(getStatus, {}))
  await becomes(context, shop, 'AI', 'ok')
  const whole = await readiness()
  await model.close()
  await becomes(context, shop, 'AI', 'fail')
  expect((await readiness()).parts).toContainEqual({ name: 'AI', state: 'does not work', mend: null })
  const admin = await shop.join({ isAdmin: true })
  const part = (await admin.call(getStatusDetails, {})).find(({ name }) => name === 'AI')
  expect(part).toMatchObject({
    says: `127.0.0.1:${model.port} does not answer`,
    mend: expect.stringContaining('AI_URL'),
  })
  const again = await openFakeModel(model.port)
  context.onTestFinished(() => again.close())
  await becomes(context, shop, 'AI', 'ok')
  expect(await readiness()).toEqual(whole)
})

test.each([
  [200, 'ok', ''],
  [401, 'fail', 'AI_KEY'],
  [404, 'warn', 'AI_URL'],
  [429, 'fail', 'its status page'],
  [500, 'fail', 'its status page'],
])('reports a model with the status %i as %s', async (status, grade, mend) => {
  const server = createWebServer((_, response) => void response.writeHead(status).end('{}'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const config = readConfig({ AI_URL: `http://127.0.0.1:${port}/v1`, AI_KEY: 'hidden', AI_MODEL: 'small-1' })
  const finding = await checkModel(config)
  server.close()
  expect(finding).toMatchObject({ grade, about: 'AI' })
  expect(finding.mend ?? '').toContain(mend)
  expect(JSON.stringify(finding)).not.toContain('hidden')
})

test.each([
  [{}, 'about products, orders and help with a local embedding model; staff answer the rest'],
  [{ ASSISTANT: 'words' }, 'about products, orders and help by matching words'],
  [{ ASSISTANT: 'off' }, 'no language model is configured; staff answer the chat'],
])('reports who answers the chat without a language model: %j', async (settings, says) => {
  expect(await checkModel(readConfig(settings))).toMatchObject({ grade: 'off', says: expect.stringContaining(says) })
})

test('reports unwritable files and clears the report when writes succeed', { timeout: 60_000 }, async (context) => {
  const shop = await open(context)
  const folder = join(shop.dataDir, 'objects')
  await becomes(context, shop, 'storage', 'ok')
  renameSync(folder, `${folder}.away`)
  await becomes(context, shop, 'storage', 'fail')
  renameSync(`${folder}.away`, folder)
  chmodSync(folder, 0o700)
  await becomes(context, shop, 'storage', 'ok')
})

test('reports late work', async (context) => {
  const shop = await open(context)
  await shop.database.pool.query(
    `SELECT graphile_worker.add_job('send_mail', '{}'::json, run_at => now() - interval '20 minutes')`,
  )
  await becomes(context, shop, 'jobs', 'fail')
})

test('reports only the database while it is down, and still responds', async (context) => {
  const shop = await open(context, { SMTP_URL: 'smtp://127.0.0.1:1', RATES_URL: 'http://127.0.0.1:1' })
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  for (const way of ['query', 'connect'] as const)
    vi.spyOn(shop.database.pool, way).mockImplementation(() => Promise.reject(away))
  const grades = Object.fromEntries((await shop.call(getStatus, {})).map(({ name, grade }) => [name, grade]))
  expect(grades).toMatchObject({
    database: 'fail',
    jobs: 'warn',
    mails: 'warn',
    ledger: 'warn',
    'exchange rates': 'warn',
    storage: 'ok',
  })
})
