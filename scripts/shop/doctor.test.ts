import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/app/settings.server.ts'
import { checkPayment } from '../../src/providers/paypal/paypal.check.server.ts'
import { checkStripe } from '../../src/providers/stripe/stripe.check.server.ts'
import { checkAddress, checkReach, checkSecret, gradeClock } from './doctor.ts'
import { checkFolder, checkNode } from '../../src/monitoring/health/machine.checks.server.ts'
import { checkIdentity } from '../../src/identity/oidc/oidc.check.server.ts'
import { checkMail } from '../../src/kit/mail/mail.check.server.ts'
import { withClient } from './connection.ts'
import { makeStore } from './store.test.help.ts'
import { terminal } from './run.test.help.ts'

const LIVE = { NODE_ENV: 'production', DATABASE_URL: 'postgres://a@b/c' }
const PAYPAL = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' }
const grades = (out: string[]) => Object.fromEntries(out.map((line) => [line.slice(6, 20).trim(), line.split(' ')[0]]))

test('fails no check in a healthy development shop and warns about its sandboxes', async () => {
  const store = await makeStore()
  await store.open({ hasJobs: true })
  const { code, out, err } = await store.run('doctor')
  expect({
    code,
    err,
    troubles: out.filter((line) => !line.startsWith('ok')).map((line) => line.slice(0, 20).trim()),
  }).toEqual({
    code: 0,
    err: [],
    troubles: [
      ...['warn  scanner', 'warn  mail', 'warn  payment', 'off   AI'],
      ...['warn  backup', 'off   restore test', 'off   exchange rates'],
    ],
  })
  expect(out.join()).toContain('one node runs')
  expect(Object.keys(grades(out))).toEqual(
    'node settings secret address,data folder,files scanner mail payment AI database migrations search clock shop jobs mails money ledger backup,restore test,exchange rates,role bonus'
      .split(',')
      .flatMap((part) => (/^(?:data folder|restore test|exchange rates)$/.test(part) ? [part] : part.split(' '))),
  )
})

test('reports every problem in production with its fix', async () => {
  const ai = { AI_URL: 'http://127.0.0.1:1/v1', AI_KEY: 'hidden', AI_MODEL: 'small-1' }
  const store = await makeStore({ NODE_ENV: 'production', PUBLIC_URL: 'http://shop.example', ...ai })
  await withClient(store.url, async (client) => {
    await client.query("DELETE FROM migrations WHERE name = '06_catalogue.sql'")
    await client.query('DROP EXTENSION pg_trgm CASCADE')
  })
  const { code, out, err } = await store.run('doctor')
  expect(code).toBe(1)
  expect(err).toEqual(['7 checks failed.'])
  expect(grades(out)).toMatchObject({
    secret: 'fail',
    address: 'fail',
    mail: 'fail',
    payment: 'fail',
    AI: 'fail',
    migrations: 'fail',
    search: 'fail',
    database: 'ok',
  })
  for (const line of out) if (!line.startsWith('ok')) expect(line).toMatch(/ -> \S/)
  expect(out.join()).not.toContain('hidden')
})

test('reports no failure for a job that is running its last attempt', async () => {
  const store = await makeStore()
  await withClient(store.url, async (client) => {
    await client.query(`SELECT graphile_worker.add_job('send_mail', max_attempts => 1)`)
    await client.query(`UPDATE graphile_worker._private_jobs SET attempts = 1, locked_by = 'worker', locked_at = now()`)
  })
  const { out } = await store.run('doctor')
  expect(out.find((line) => line.includes(' jobs '))).toMatch(/^ok /)
})

test('reports failed jobs and unsent mails', async () => {
  const store = await makeStore({ SMTP_URL: 'smtp://127.0.0.1:1' })
  await withClient(store.url, async (client) => {
    await client.query(`SELECT graphile_worker.add_job('send_mail', '{}'::json, max_attempts => 1)`)
    await client.query(`UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'x'`)
    await client.query(`INSERT INTO mails (key, recipient, subject, body_text, body_html, created_at, error)
      VALUES ('a', 'a@b.example', 'A', '', '', now() - interval '1 hour', 'the box\nis full')`)
  })
  const { out, code } = await store.run('doctor')
  expect(code).toBe(1)
  expect(out.find((line) => line.includes(' jobs '))).toMatch(/^fail .*1 given up \(send_mail\)/)
  expect(out.find((line) => line.includes(' mails '))).toMatch(
    /^warn .*1 not sent after 10 minutes; last error: the box is full/,
  )
})

test("warns if the shop's role owns the tables", async () => {
  const { url: DATABASE_URL } = await makeStore()
  const store = await makeStore({ DATABASE_URL, MIGRATE_DATABASE_URL: '' })
  const { out, code } = await store.run('doctor')
  expect(code).toBe(0)
  expect(out.find((line) => line.includes(' role '))).toMatch(/^warn .*owns the tables.* -> .*MIGRATE_DATABASE_URL/)
})

test('warns of unsent mails if no mail server is set', async () => {
  const store = await makeStore()
  await withClient(store.url, (client) =>
    client.query(`INSERT INTO mails (key, recipient, subject, body_text, body_html, created_at)
      VALUES ('a', 'a@b.example', 'A', '', '', now() - interval '1 hour')`),
  )
  const { out, code } = await store.run('doctor')
  expect(code).toBe(0)
  expect(out.find((line) => line.includes(' mails '))).toMatch(
    /^warn .*1 not sent, because no mail server is configured/,
  )
})

test('fails with the fix for an invalid setting and for an unreachable database', async () => {
  const wrong = await terminal({ PORT: 'many' })('doctor')
  expect(wrong.code).toBe(1)
  expect(wrong.out.at(-1)).toMatch(/^fail +settings +PORT: "many" is not allowed/)
  const { dataDir } = await makeStore()
  const away = await terminal({ DATABASE_URL: 'postgres://a@127.0.0.1:1/b', DATA_DIR: dataDir })('doctor')
  expect(away.out.at(-1)).toMatch(/^fail +database +DATABASE_URL: no database answers there/)
})

test('lists the categories without a bonus', async () => {
  const store = await makeStore()
  await store.open()
  const { code, out } = await store.run('doctor')
  expect(code).toBe(0)
  expect(out.at(-1)).toMatch(/^ok {4}bonus .*nothing on gift-cards, crypto, prepaid$/)
})

test('requires a recent Node', () => {
  expect(['24.7.0', '25.0.0', '24.6.9', '22.20.0'].map((version) => checkNode(version).grade)).toEqual([
    'ok',
    'ok',
    'fail',
    'fail',
  ])
})

test('accepts a clock difference below one second', () => {
  expect([0, 999, -1500, 29_000, 30_001, -3600_000].map((ms) => gradeClock(ms).grade)).toEqual([
    'ok',
    'ok',
    'warn',
    'warn',
    'fail',
    'fail',
  ])
  expect(gradeClock(5000).says).toBe("5.0 s behind the database's")
})

test('fails if the data folder is a file', async () => {
  const { dataDir } = await makeStore()
  await expect(checkFolder({ dataDir: join(dataDir, 'new') })).resolves.toMatchObject({ grade: 'ok' })
  expect(await checkFolder({ dataDir: '/dev/null' })).toMatchObject({
    grade: 'fail',
    mend: expect.stringContaining('DATA_DIR'),
  })
})

test.each([
  [{}, 'ok'],
  [{ ...LIVE, PUBLIC_URL: 'https://shop.example' }, 'warn'],
  [{ ...LIVE, PUBLIC_URL: 'http://shop.example' }, 'fail'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, 'ok'],
  [LIVE, 'fail'],
  [{ ...LIVE, PUBLIC_URL: 'http://localhost:3000' }, 'warn'],
  [{ ...LIVE, PUBLIC_URL: 'https://shop.example', TRUST_PROXY: '1' }, 'ok'],
])('rates the address under %j: %s', (env, grade) => {
  expect(checkAddress(readConfig(env)).grade).toBe(grade)
})

test.each([
  [{}, 'ok'],
  [{ NODE_ENV: 'production' }, 'warn'],
  [LIVE, 'fail'],
  [{ ...LIVE, SECRET: 'x'.repeat(32) }, 'ok'],
])('rates the secret under %j: %s', (env, grade) => {
  expect(checkSecret(readConfig(env)).grade).toBe(grade)
})

test.each([
  ['the sandbox in development', {}, 'ready', 'warn', 'sandbox'],
  ['nothing in production', LIVE, 'ready', 'fail', 'no provider'],
  ['the sandbox in production', { ...LIVE, PAYMENTS_SANDBOX: '1' }, 'ready', 'warn', 'no real money'],
  ['wrong credentials', { ...LIVE, ...PAYPAL }, 'refused', 'fail', 'refuses'],
  ['a provider that is away', { ...LIVE, ...PAYPAL }, 'away', 'fail', 'does not answer'],
  ['no webhook', { ...LIVE, ...PAYPAL }, 'ready', 'warn', 'no webhook'],
  ["the provider's sandbox", { ...LIVE, ...PAYPAL, PAYPAL_WEBHOOK_ID: 'w' }, 'ready', 'warn', 'no real money'],
  [
    'everything',
    { ...LIVE, ...PAYPAL, PAYPAL_WEBHOOK_ID: 'w', PAYPAL_ENVIRONMENT: 'live' },
    'ready',
    'ok',
    'gives tokens',
  ],
] as const)('rates payment with %s', async (_, env, probed, grade, says) => {
  expect(await checkPayment(readConfig(env), { probe: async () => probed })).toMatchObject({
    grade,
    says: expect.stringContaining(says),
  })
})

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

test.each([
  ['a wrong key', STRIPE, 'refused', 'fail', 'refuses'],
  ['a service that is away', STRIPE, 'away', 'fail', 'does not answer'],
  ['test keys', STRIPE, 'ready', 'ok', 'test mode'],
  ['test keys in production', { ...LIVE, ...STRIPE }, 'ready', 'warn', 'no real money'],
  ['live keys', { ...LIVE, ...STRIPE, STRIPE_SECRET_KEY: 'rk_live_1' }, 'ready', 'ok', 'live'],
] as const)('rates cards with %s', async (_, env, probed, grade, says) => {
  expect(await checkStripe(readConfig(env), { probe: async () => probed })).toMatchObject({
    grade,
    says: expect.stringContaining(says),
  })
  expect(await checkStripe(readConfig({}))).toBeNull()
})

test('checks that the identity provider returns its configuration', async () => {
  const server = createWebServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }),
    )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((done) => server.once('listening', done))
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const ask = (url: string) => checkIdentity({ issuer: url, clientId: 'shop', clientSecret: 'hidden' })
  expect(await ask(issuer)).toMatchObject({ grade: 'ok' })
  expect(await ask('http://127.0.0.1:1')).toMatchObject({
    grade: 'fail',
    says: expect.not.stringContaining('hidden'),
  })
})

test('checks that the mail server responds', async () => {
  const server = createServer((socket) => {
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('data', (line) => socket.write(/^QUIT/i.test(String(line)) ? '221 bye\r\n' : '250 fine\r\n'))
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as { port: number }
  const mail = (env: Record<string, string>) => checkMail(readConfig({ MAIL_FROM: 'shop@shop.example', ...env }))
  expect(await mail({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject({ grade: 'ok' })
  expect(await mail({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Primo <shop@localhost>' })).toMatchObject({
    grade: 'warn',
  })
  expect(await mail({ SMTP_URL: 'smtp://user:hidden@127.0.0.1:1' })).toMatchObject({
    grade: 'fail',
    says: expect.not.stringContaining('hidden'),
  })
  expect(await mail({})).toMatchObject({ grade: 'warn', says: expect.stringContaining('/dev/mail') })
  expect(await mail(LIVE)).toMatchObject({ grade: 'fail' })
})

test('does not warn about a loopback address that a container publishes on another port while the shop responds', async () => {
  const shop = createWebServer((_, reply) => reply.end())
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const { port } = shop.address() as AddressInfo
  // no server listens on this port
  const publicUrl = 'http://localhost:59999'
  expect(await checkReach({ publicUrl, port }, 1)).toMatchObject({ grade: 'ok' })
  expect(await checkReach({ publicUrl: `http://localhost:${port}`, port }, 1)).toMatchObject({ grade: 'ok' })
  expect(await checkReach({ publicUrl: 'http://shop.invalid:59999', port }, 1)).toMatchObject({ grade: 'warn' })
  await new Promise((resolve) => shop.close(resolve))
  expect(await checkReach({ publicUrl, port }, 1)).toMatchObject({ grade: 'warn' })
})
