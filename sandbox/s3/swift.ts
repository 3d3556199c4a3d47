import { execFile, type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '../../src/kit/serve/port.server.ts'

// Runs OpenStack Swift with its S3 interface for tests: a real store in five processes.

const run = promisify(execFile)
const SERVERS = ['account', 'container', 'object'] as const
const START_MS = 60_000
export const SWIFT_PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']

/** Swift needs root, its packages and a machine-wide settings file. */
export const hasSwift = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/swift/swift.conf') &&
  existsSync('/usr/bin/memcached') &&
  ['proxy', ...SERVERS].every((name) => existsSync(`/usr/bin/swift-${name}-server`))

export async function startSwift(folder: string) {
  const devices = join(folder, 'devices')
  await mkdir(join(devices, 'd1'), { recursive: true })
  const ports = Object.fromEntries(
    await Promise.all(['proxy', 'cache', ...SERVERS].map(async (name) => [name, await findFreePort()] as const)),
  )
  const defaults = (name: string) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${ports[name]}\nuser = root\nswift_dir = ${folder}\ndevices = ${devices}\nmount_check = false\nworkers = 0\nlog_level = ERROR\nlog_address = ${join(folder, 'no-log')}\n`
  for (const name of SERVERS) {
    const text = `${defaults(name)}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`
    await writeFile(join(folder, `${name}.conf`), text)
  }
  await run('/usr/bin/python3', ['-c', RINGS, folder, ...SERVERS.map((name) => `${name}:${ports[name]}`)])
  const filters = [
    'catch_errors',
    'gatekeeper',
    'cache',
    'listing_formats',
    'bulk',
    's3api',
    'tempauth',
    'copy',
    'slo',
    'dlo',
  ]
  const proxy = [
    defaults('proxy'),
    `[pipeline:main]\npipeline = ${filters.join(' ')} proxy-server`,
    '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true',
    ...filters
      .filter((name) => name !== 'cache')
      .map((name) => `[filter:${name}]\nuse = egg:swift#${name}${MORE[name] ?? ''}`),
    `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:${ports.cache}`,
  ]
  await writeFile(join(folder, 'proxy.conf'), proxy.join('\n'))
  const children: ChildProcess[] = []
  let output = ''
  children.push(spawn('memcached', ['-u', 'nobody', '-l', '127.0.0.1', '-p', String(ports.cache)], { stdio: 'ignore' }))
  for (const name of [...SERVERS, 'proxy']) {
    const child = spawn(`swift-${name}-server`, [join(folder, `${name}.conf`), '-v'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    children.push(child)
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  const stop = async () => {
    for (const child of children) child.kill('SIGKILL')
  }
  for (const end = Date.now() + START_MS; ;) {
    if ((await fetch(endpoint).catch(() => null)) !== null) break
    if (Date.now() > end || children.some(({ exitCode }) => exitCode !== null)) {
      await stop()
      throw new Error(`Swift did not start:\n${output.slice(-3000)}`)
    }
    await pause(200)
  }
  return { endpoint, key: 'test:tester', secret: 'testing', region: 'us-east-1', stop, output: () => output }
}

// Running swift-ring-builder would start nine processes, and each would load Swift.
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, *servers = sys.argv[1:]
for name, port in (server.split(':') for server in servers):
    place = {'ip': '127.0.0.1', 'port': int(port), 'replication_ip': '127.0.0.1', 'replication_port': int(port)}
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'd1', 'meta': '', **place})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{name}.ring.gz')
`

const MORE: Record<string, string> = {
  tempauth: '\nuser_test_tester = testing .admin',
  s3api: '\nlocation = us-east-1\ncors_preflight_allow_origin = *\nmin_segment_size = 5242880',
}
