import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { createTestDatabase } from '../test/database.ts'

const ROOT = join(import.meta.dirname, '..')

let folder = ''
let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'primo-loading-'))
  database = await createTestDatabase()
  await query('DROP SCHEMA sandbox CASCADE')
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function query(text: string) {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text)
  await client.end()
  return rows
}
const hasTables = async () => (await query(`SELECT to_regclass('sandbox.records') IS NOT NULL AS yes`))[0]!.yes

/** Runs a process with a hook and lists the repository's files that it loads. */
async function filesLoadedBy(run: (flags: string[]) => Promise<unknown>): Promise<string[]> {
  const list = join(folder, 'loaded')
  const hook = join(folder, 'hook.mjs')
  await writeFile(list, '')
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module'
     import { appendFileSync } from 'node:fs'
     registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(list)}, url + '\\n'), next(url, context)) })`,
  )
  await run(['--import', pathToFileURL(hook).href])
  const root = pathToFileURL(`${ROOT}/`).href
  const urls = (await readFile(list, 'utf8')).split('\n')
  return urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length))
}

/** Starts the shop and lists the files that it loads until it is ready. */
const filesLoaded = (settings: Record<string, string>) =>
  filesLoadedBy(async (flags) => {
    const port = await findFreePort()
    const env = { DATABASE_URL: database.url, DATA_DIR: folder, PORT: String(port), ...settings }
    const shop = await startShop(port, env, { flags })
    await shop.stop()
  })

/** Packages that the shop loads at their first use. */
const isRare = (file: string) =>
  /^node_modules\/(@ai-sdk|@aws-sdk|@cantoo|@opentelemetry|@simplewebauthn|@uppy\/companion|@vercel|ai|eventsource-parser|express|grant|ioredis|@zxcvbn-ts|aws4fetch|brotli|csv-parse|fontkit|nodemailer|openid-client|pdfkit|prom-client|sharp|stripe|web-push)\//.test(
    file,
  )
const isBucket = (file: string) => /^src\/uploads\/(s3|remote\/.*\.server)/.test(file)
const isStandIn = (file: string) => /^(sandbox|demo)\//.test(file)

test('loads no sandbox, demo store or rarely used package and creates no sandbox table at a production start with credentials', async () => {
  const loaded = await filesLoaded({
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://shop.example',
    SECRET: 'a secret of at least thirty-two characters',
    PAYPAL_CLIENT_ID: 'id',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: 'webhook',
  })
  expect(loaded).toContain('src/app/main.server.ts')
  expect(loaded).toContain('node_modules/fastify/fastify.js')
  expect(loaded.filter((file) => isStandIn(file) || isRare(file) || isBucket(file))).toEqual([])
  expect(await hasTables()).toBe(false)
})

test('loads the S3 client if a bucket is configured', async () => {
  const settings = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'goods', S3_KEY: 'id', S3_SECRET: 'secret' }
  const loaded = await filesLoaded({ NODE_ENV: 'development', ...settings })
  expect(loaded).toContain('src/uploads/s3/storage.s3.server.ts')
  expect(loaded.some((file) => file.startsWith('node_modules/aws4fetch/'))).toBe(true)
})

test('loads Companion at the first cloud sign-in, and no cloud code if no cloud is configured', async () => {
  const settings = { COMPANION_DROPBOX_KEY: 'key', COMPANION_DROPBOX_SECRET: 'secret' }
  const loaded = await filesLoaded({ NODE_ENV: 'development', ...settings })
  expect(loaded).toContain('src/uploads/remote/remote.server.ts')
  expect(loaded.filter((file) => /^node_modules\/(@aws-sdk|@uppy|express|grant|ioredis)\//.test(file))).toEqual([])
})

test('loads the AI SDK and the configured provider at the first question to a model', async () => {
  const ofModel = (file: string) => /^node_modules\/(@ai-sdk\/[^/]+|ai)\//.exec(file)?.[1]
  const settings = { AI_PROVIDER: 'anthropic', AI_KEY: 'key', AI_MODEL: 'small-1' }
  const started = await filesLoaded({ NODE_ENV: 'development', ...settings })
  expect(started).toContain('src/assistant/model/languageModel.server.ts')
  expect(started.filter(ofModel)).toEqual([])

  const file = pathToFileURL(join(ROOT, 'src/assistant/model/languageModel.server.ts')).href
  const ask = `const { openLanguageModel } = await import('${file}')
    await openLanguageModel({ provider: 'anthropic', url: 'http://127.0.0.1:1', key: 'key', model: 'small-1' }, 1)`
  const asked = await filesLoadedBy((flags) =>
    promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', ask]),
  )
  const loaded = new Set(asked.map(ofModel))
  for (const name of ['ai', '@ai-sdk/anthropic']) expect(loaded).toContain(name)
  for (const name of ['@ai-sdk/openai', '@ai-sdk/openai-compatible']) expect(loaded).not.toContain(name)
})

test('loads the payment sandbox at a development start without credentials', async () => {
  const loaded = await filesLoaded({ NODE_ENV: 'development' })
  for (const name of ['paypal', 'stripe']) expect(loaded).toContain(`sandbox/${name}/sandbox.server.ts`)
  expect(await hasTables()).toBe(true)
})

const importsOf = (file: string) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^(?:import|export)[^'"(]*?['"](\.[^'"]+)['"]/gm)].map(([, to]) =>
    normalize(join(dirname(file), to!)),
  )

test('imports no sandbox and no demo store statically', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test(\.help)?\.tsx?$/.test(file))
  expect(importsOf('sandbox/loading.test.ts')).toContain('drill/shopProcess.ts')
  expect(sources.filter((file) => importsOf(file).some(isStandIn))).toEqual([])
})
