import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { required } from '../src/kit/values/required.ts'

// nginx with TLS in front of the nodes, configured by deploy/, and HAProxy in front of the databases.

const isHere = (program: string, flag: string) => spawnSync(program, [flag]).status === 0

const missingOf = (programs: [string, string][]) =>
  programs.filter(([program, flag]) => !isHere(program, flag)).map(([program]) => program)

export const missingForNginx = () =>
  missingOf([
    ['nginx', '-v'],
    ['openssl', 'version'],
  ])

export const missingForHaproxy = () => missingOf([['haproxy', '-v']])

const NGINX = join(import.meta.dirname, '../deploy/nginx.conf')

export type Proxy = { port: number; stop: () => Promise<void> }

export async function openNginx(nodes: [number, number]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'primo-nginx-'))
  mkdirSync(join(folder, 'logs'))
  const [port, plain] = [await findFreePort(), await findFreePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'fullchain.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    ...subject,
  ]
  spawnSync('openssl', [...made, '-keyout', key, '-out', certificate])
  const site = readFileSync(NGINX, 'utf8')
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${nodes[0]}`)
    .replaceAll('127.0.0.1:3002', `127.0.0.1:${nodes[1]}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plain}`)
    .replace('Host $host;', 'Host $http_host;')
    .replace(/access_log .*;/, 'access_log off;')
    .replaceAll('/etc/primo/tls/', `${folder}/`)
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; worker_processes 1; error_log ${folder}/logs/error.log;
     events { worker_connections 4096; } http { ${paths.join(' ')} ${site} }`,
  )
  return startProgram('nginx', ['-c', file, '-p', folder], port, folder)
}

/** Replaces nginx, without TLS: alternates between the nodes, and connects to the second one if the first refuses. */
export async function openTurns(nodes: [number, number]): Promise<Proxy> {
  let turn = 0
  const server = createServer((client) => {
    const to = (port: number, refused: () => void) => {
      const behind = connect(port, '127.0.0.1')
      behind.once('error', refused).once('connect', () => {
        behind.off('error', refused).on('error', () => client.destroy())
        client.on('close', () => behind.destroy())
        behind.on('close', () => client.destroy())
        client.pipe(behind).pipe(client)
      })
    }
    const first = turn++ % 2
    client.on('error', () => undefined)
    to(required(nodes[first], 'an entry of nodes'), () =>
      to(required(nodes[1 - first], 'an entry of nodes'), () => client.destroy()),
    )
  })
  const port = await findFreePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { port, stop: async () => void server.close() }
}

/** Starts HAProxy for the databases whose Patroni answers 200 at `path`: `/primary` or `/replica`. */
export async function openHaproxy(
  databases: { name: string; port: number; restPort: number }[],
  path: string,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'primo-haproxy-'))
  const port = await findFreePort()
  const servers = databases.map(
    ({ name, port: own, restPort }) => `  server ${name} 127.0.0.1:${own} check port ${restPort}`,
  )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  # the next server takes over when this one goes: standbys are not equally far
  balance first
  option httpchk GET ${path}
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  const proxy = await startProgram('haproxy', ['-db', '-f', file], port, folder)
  // HAProxy considers every database healthy until it has checked each one twice
  await pause(2_000)
  return proxy
}

export async function startProgram(program: string, args: string[], port: number, folder: string): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const end = performance.now() + 10_000
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`${program} did not start:\n${output}`)
    await pause(20)
  }
  return {
    port,
    stop: async () => {
      await endOf(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function endOf(child: ChildProcess) {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.end())
  })
