import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { openServer } from '../drill/postgres.ts'
import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { grantDownload } from '../src/delivery/files/files.contract.ts'
import { send } from '../src/kit/call.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { getOrder } from '../src/purchases/orders.contract.ts'
import { baseImage, have, ImageTool, podman, TOOLS } from './imageTools.ts'

// `npm run image` builds the image with buildah and tests it with podman: contents, size, first start, purchase,
// download, backup, stop under load and restore. Exits with 1 if a test fails. Needs root or rootless podman.

const MAX_MEGABYTES = 270
const MAX_STOP_MS = 8_000
/** High, because a busy machine starts the shop slowly. */
const READY_MS = 120_000
const ROOT = join(import.meta.dirname, '..')
/** The only private key in the image: the sandbox signs its webhooks with it (SECURITY.md). */
const PUBLIC_KEY_FILE = '/shop/sandbox/paypal/certificate.key.pem'

const missing = TOOLS.filter((tool) => !have(tool))
if (missing.length > 0) {
  process.stderr.write(
    `The image was not tested: ${missing.join(', ')} is missing. On Debian: apt-get install buildah podman runc catatonit\n`,
  )
  process.exit(1)
}

const wrong: string[] = []
const check = (isRight: boolean, text: string) => {
  process.stdout.write(`${isRight ? 'ok     ' : 'FAILED '} ${text}\n`)
  if (!isRight) wrong.push(text)
}

const folder = mkdtempSync(join(tmpdir(), 'primo-image-'))
// The user of the container and the user of PostgreSQL must be able to enter the folder.
chmodSync(folder, 0o777)
const tool = new ImageTool(folder)
const name = `primo-try-${process.pid}`
const database = await openServer()
try {
  await baseImage(tool)
  const startedAt = performance.now()
  tool.build(ROOT, 'primo-try')
  process.stdout.write(`built in ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
  lookInside()
  await tryShop()
} finally {
  podman(tool, ['rm', '--force', '--time', '0', name])
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(wrong.length === 0 ? 'The image works.\n' : `${wrong.length} checks failed.\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

function lookInside() {
  const script = `id -u; du -sm /shop | cut -f1; find /shop -name '*.test.ts*' | head -3 | tr '\\n' ' '; echo;
    grep -rl --include='*.pem' --include='*.key' 'PRIVATE KEY' /shop --exclude-dir=node_modules | tr '\\n' ' '; echo;
    ls -A /shop | tr '\\n' ' '`
  const { stdout, stderr } = podman(tool, [
    'run',
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'sh',
    'primo-try',
    '-c',
    script,
  ])
  const [user, size, tests, keys, files] = stdout.split('\n').map((line) => line.trim())
  check(user === '1000', `runs as user 1000 (${user || stderr.slice(-300)})`)
  check(Number(size) <= MAX_MEGABYTES, `/shop has ${size} MB of at most ${MAX_MEGABYTES}`)
  check(tests === '', `contains no tests ${tests}`)
  check(keys === PUBLIC_KEY_FILE || keys === '', `contains no private keys ${keys}`)
  check(!/\.env|\.git|\.npmrc/.test(files ?? ''), `contains no settings or history: ${files}`)
}

function startShop(url: string, port: number, data: string) {
  const settings = {
    ...{ DATABASE_URL: url, SECRET: createHash('sha256').update(name).digest('hex'), PORT: String(port) },
    ...{ PUBLIC_URL: `http://localhost:${port}`, PAYMENTS_SANDBOX: '1', SMTP_URL: 'smtp://127.0.0.1:9' },
  }
  const flags = [
    ...['--name', name, '--network', 'host', '--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
    ...['--security-opt', 'no-new-privileges', '--volume', `${data}:/data`],
    ...Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ]
  return {
    run: (...command: string[]) => podman(tool, ['run', '--rm', ...flags, 'primo-try', ...command]),
    start: async () => {
      const { stderr, status } = podman(tool, ['run', '--detach', ...flags, 'primo-try'])
      if (status !== 0) throw new Error(`the container did not start: ${stderr}`)
      const base = `http://localhost:${port}`
      for (const end = performance.now() + READY_MS; ; await pause(200)) {
        if (
          await fetch(`${base}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return base
        if (performance.now() > end) throw new Error(`not ready: ${podman(tool, ['logs', name]).stdout.slice(-2000)}`)
      }
    },
    shop: (...command: string[]) => podman(tool, ['exec', name, 'npm', 'run', '-s', 'shop', '--', ...command]),
  }
}

async function tryShop() {
  const data = join(folder, 'data')
  spawnSync('install', ['-d', '-m', '777', data])
  const container = startShop(await createEmpty(), await findFreePort(), data)
  const base = await container.start()
  check(true, 'starts on an empty database with a read-only root and without capabilities')
  const health = podman(tool, ['healthcheck', 'run', name])
  check(health.status === 0, `its health check passes ${health.stderr.trim()}`)
  const doctor = container.shop('doctor')
  check(doctor.stdout.includes('settings'), `npm run shop -- doctor runs inside ${doctor.stderr.slice(0, 300)}`)

  const seeded = container.shop('seed')
  check(seeded.status === 0, `npm run shop -- seed runs inside ${seeded.stderr.slice(0, 300)}`)
  const cookie = container.shop('session', 'shopper@primo.example').stdout.trim()
  const { orderId, productId } = await buy(base, cookie)
  const backup = container.shop('backup', '/data/backup.tar.gz')
  check(backup.status === 0, `writes a backup ${backup.stderr.slice(0, 300)}`)

  await stopUnderLoad(base, cookie, productId)
  podman(tool, ['rm', '--force', name])
  const restore = container.run(
    'node',
    '--disable-warning=ExperimentalWarning',
    'scripts/shop.ts',
    'restore',
    '/data/backup.tar.gz',
    '--yes',
  )
  check(restore.status === 0, `restores the backup (${restore.status})`)
  await container.start()
  const again = await send(
    getOrder,
    { id: orderId },
    { base, headers: { cookie: container.shop('session', 'shopper@primo.example').stdout.trim() } },
  )
  check(again.status === 'completed', `has the order after the restore (${again.status})`)
}

async function createEmpty(): Promise<string> {
  const client = new pg.Client({ connectionString: database.urlOf('postgres') })
  await client.connect()
  await client.query('CREATE DATABASE image')
  await client.end()
  return database.urlOf('image')
}

async function buy(base: string, cookie: string) {
  const on = { base, headers: { cookie, 'idempotency-key': crypto.randomUUID() } }
  const products = (await (await fetch(`${base}/api/products?kind=file&limit=60`)).json()) as {
    id: string
    price: string
  }[]
  const product = products.find(({ price }) => Number(price) > 0)
  if (!product) throw new Error('no product is on sale')
  const items = [{ productId: product.id, quantity: 1 }]
  const started = await send(
    startPayment,
    { amount: product.price, currency: 'USD', intent: 'capture', method: 'paypal', items },
    on,
  )
  await fetch(`${base}/sandbox/paypal/test/orders/${started.id}/approve`, { method: 'POST' })
  await send(capturePayment, { id: started.id }, on)
  const order = await send(getOrder, { id: started.orderId }, on)
  const line = order.lines[0]
  const { url } = await send(grantDownload, { id: order.id, lineId: line?.id ?? '' }, on)
  const file = await fetch(new URL(url, base), { headers: { cookie } })
  const bytes = (await file.arrayBuffer()).byteLength
  check(
    order.status === 'completed' && file.ok && bytes > 0,
    `sells a product and delivers ${bytes} bytes (${order.status}, ${file.status})`,
  )
  return { orderId: order.id, productId: product.id }
}

async function stopUnderLoad(base: string, cookie: string, productId: string) {
  const body = JSON.stringify({ productId, quantity: 1 })
  const asked = request(`${base}/api/cart`, {
    method: 'POST',
    headers: { cookie, connection: 'keep-alive', 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = new Promise<number | undefined>((resolve) => {
    asked.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
    asked.on('error', () => resolve(undefined))
  })
  asked.write(body.slice(0, 10))
  await pause(500)
  const startedAt = performance.now()
  const stopping = tool.start(['stop', '--time', '40', name])
  await pause(1_000)
  asked.end(body.slice(10))
  const status = await answered
  await stopping
  const took = performance.now() - startedAt
  const code = podman(tool, ['inspect', '--format', '{{.State.ExitCode}}', name]).stdout.trim()
  check(status === 200 || status === 201, `answers the request that was under way (${status})`)
  check(took < MAX_STOP_MS && code === '0', `stops after ${(took / 1000).toFixed(1)} s with code ${code}`)
}
