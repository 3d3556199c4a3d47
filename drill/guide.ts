import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgresAccount, isRoot } from '../src/kit/embedded/programs.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { openS3Storage } from '../src/uploads/s3/storage.s3.server.ts'
import { only, required } from '../src/kit/values/required.ts'

// Runs the commands of docs/operating/two-nodes.md with free ports and an empty home folder, and checks the results.

const ROOT = join(import.meta.dirname, '..')
const GUIDE = 'docs/operating/two-nodes.md'
const PORTS = ['5441', '5442', '9000', '3001', '3002', '9101', '9102', '8443', '8080']
const TIMEOUT_MS = 300_000

export function readGuide(): { setUp: string; stop: string } {
  const text = readFileSync(join(ROOT, GUIDE), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => required(block, 'a block of the guide'))
  return { setUp: blocks.slice(0, -1).join(''), stop: blocks.at(-1) ?? '' }
}

export function readGuideProblems(): string[] {
  const { setUp, stop } = readGuide()
  return [setUp, stop].flatMap((script) => {
    const { status, stderr } = spawnSync('bash', ['-n', '-c', script], { encoding: 'utf8' })
    return status === 0 && script !== '' ? [] : [stderr || 'the guide has no commands']
  })
}

export const missingOfGuide = () => {
  const lacking = [
    ['nginx', '-v'],
    ['curl', '--version'],
    ['openssl', 'version'],
    ['psql', '--version'],
  ].filter(
    ([program, flag]) =>
      spawnSync(required(program, 'a program'), [required(flag, 'the flag of a program')]).status !== 0,
  )
  return lacking.map(([program]) => required(program, 'a program'))
}

export async function runGuide(): Promise<{ wrong: string[]; commands: number; seconds: number }> {
  const startedAt = performance.now()
  const home = mkdtempSync(join(tmpdir(), 'primo-guide-'))
  const account = isRoot ? await findPostgresAccount() : undefined
  // initdb refuses root
  if (account) chownSync(home, account.uid, account.gid)
  chmodSync(home, 0o755)
  const ports = new Map<string, number>()
  for (const port of PORTS) ports.set(port, await findFreePort())
  // deploy/nginx.conf contains the ports of the nodes
  const moved = ['3001', '3002'].map((port) => `-e 's|127.0.0.1:${port}|127.0.0.1:${ports.get(port)}|'`).join(' ')
  const placed = (script: string) =>
    PORTS.reduce(
      (text, port) => text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(ports.get(port))),
      script,
    ).replace('sed -e', `sed ${moved} -e`)
  const env = {
    HOME: home,
    PATH: required(process.env.PATH, 'PATH'),
    LC_ALL: 'C.UTF-8',
    npm_config_update_notifier: 'false',
  }
  const bash = async (script: string, isStrict = true) => {
    const child = spawn('bash', [...(isStrict ? ['-eu', '-o', 'pipefail'] : []), '-c', script], {
      ...{ ...account, cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] as const, timeout: TIMEOUT_MS },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    // waits for 'exit', not 'close': servers that the guide starts hold the pipes open
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, output }
  }
  const { setUp, stop } = readGuide()
  const at = join(home, 'primo-two')
  const trusted = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  // the guide creates a self-signed certificate
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const wrong: string[] = []
  try {
    const built = await bash(placed(setUp))
    if (built.code !== 0) wrong.push(`the commands ended with ${built.code}: ${built.output.slice(-3000)}`)
    else wrong.push(...(await look(at, ports, bash)))
  } finally {
    const ended = await bash(
      `export AT=${at} PATH=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1):$PATH\n${placed(stop)}`,
    )
    if (ended.code !== 0) wrong.push(`the commands to stop ended with ${ended.code}: ${ended.output.slice(-1000)}`)
    if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted
    if (wrong.length === 0) rmSync(home, { recursive: true, force: true })
    else wrong.push(`what it left is in ${home}`)
  }
  const commands = setUp.split('\n').filter((line) => line !== '').length
  return { wrong, commands, seconds: (performance.now() - startedAt) / 1000 }
}

type Bash = (script: string, isStrict?: boolean) => Promise<{ code: number | null; output: string }>

async function look(at: string, ports: Map<string, number>, bash: Bash): Promise<string[]> {
  const wrong: string[] = []
  const expectThat = (is: boolean, says: string) => void (is || wrong.push(says))
  for (const [node, metrics] of [
    ['3001', '9101'],
    ['3002', '9102'],
  ] as const) {
    const figures = await (await fetch(`http://127.0.0.1:${ports.get(metrics)}/metrics`)).text()
    expectThat(
      /^primo_backup_age_seconds\{store="s3"\} \d/m.test(figures),
      `node ${node} knows no backup in the bucket`,
    )
    const answer = await fetch(`http://127.0.0.1:${ports.get(node)}/readyz`)
    const ready = (await answer.json()) as Record<string, string>
    const parts = ['database', 'replica', 'storage', 'backup', 'restore test'].filter((part) => ready[part] !== 'ok')
    expectThat(answer.ok && parts.length === 0, `node ${node} answers ${answer.status}, not ok: ${parts.join(', ')}`)
  }
  const primary = new pg.Client({
    host: at,
    port: required(ports.get('5441'), 'port 5441'),
    user: 'postgres',
    database: 'postgres',
  })
  await primary.connect()
  const { rows } = await primary.query<{ state: string }>('SELECT state FROM pg_stat_replication')
  await primary.end()
  expectThat(rows.length === 1 && only(rows).state === 'streaming', `the replica is ${JSON.stringify(rows)}`)

  const url = `https://localhost:${ports.get('8443')}`
  const products = (await (await fetch(`${url}/api/products?limit=3`)).json()) as unknown[]
  expectThat(products.length === 3, 'the products of the first machine are not there')
  const accounts = JSON.parse(readFileSync(join(at, 'data/demo-accounts.json'), 'utf8')) as {
    role: string
    email: string
  }[]
  const { email } = required(
    accounts.find(({ role }) => role === 'seller'),
    'the account',
  )
  const { output } = await bash(`set -a; . ${at}/shop.env; set +a; npm run -s shop -- session ${email}`)
  const headers = { cookie: output.trim(), 'sec-fetch-site': 'same-origin' }
  const bytes = randomBytes(50_000)
  const announced = {
    'x-file-name': 'guide.bin',
    'x-file-type': 'application/octet-stream',
    'x-file-size': String(bytes.length),
  }
  const issued = await fetch(`${url}/api/objects/upload`, { method: 'POST', headers: { ...headers, ...announced } })
  if (!issued.ok) return [...wrong, `an upload is refused: ${issued.status} ${await issued.text()}`]
  const {
    id,
    uploadURL,
    headers: signed,
  } = (await issued.json()) as {
    id: string
    uploadURL: string
    headers: Record<string, string>
  }
  expectThat(new URL(uploadURL).port === String(ports.get('9000')), 'the browser is not sent to the bucket')
  const put = await fetch(uploadURL, { method: 'PUT', headers: signed, body: bytes as Buffer<ArrayBuffer> })
  const finished = await fetch(`${url}/api/objects/${id}/finish`, { method: 'POST', headers })
  expectThat(put.ok && finished.ok, `the upload ends with ${put.status} and ${finished.status}`)
  const endpoint = `http://127.0.0.1:${ports.get('9000')}`
  const keys = { key: 'trial', secret: 'a-secret-for-trials', region: 'us-east-1', bucket: 'goods' }
  const bucket = openS3Storage({ endpoint, ...keys, isPathStyle: true, isRedirecting: true }, 1e9)
  const found = await bucket.find(id)
  const hash = createHash('sha256').update(bytes).digest('hex')
  expectThat(found?.sizeBytes === bytes.length && (found.sha256 ?? hash) === hash, 'the upload is not in the bucket')
  return wrong
}
