import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, createServer, type IncomingMessage, type Server } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readGuide } from '../drill/guide.ts'
import { openNginx } from '../drill/proxies.ts'

// Checks the files of deploy/ with the programs that use them.

const DEPLOY = join(import.meta.dirname, '../deploy')
const folder = mkdtempSync(join(tmpdir(), 'primo-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TOOLS = {
  nginx: ['-v'],
  promtool: ['--version'],
  'systemd-analyze': ['--version'],
  kubectl: ['version', '--client'],
}
const isHere = (tool: keyof typeof TOOLS) => spawnSync(tool, TOOLS[tool]).status === 0
const missing = (Object.keys(TOOLS) as (keyof typeof TOOLS)[]).filter((tool) => !isHere(tool))
if (missing.length > 0)
  process.stderr.write(`\nSKIPPED: what ${missing.join(', ')} would say of deploy/. Install them to know.\n\n`)
const lacks = (tool: keyof typeof TOOLS) => missing.includes(tool)

const run = (program: string, args: string[], cwd = DEPLOY) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test.skipIf(lacks('nginx'))(
  'nginx accepts its file, and routes a member’s imports and their socket to one node',
  async () => {
    const { ask, textOf } = await openProxied(
      ...['first', 'second'].map((name) => {
        const node = createServer((_, answer) => answer.end(name))
        return node.on('upgrade', (_, socket) =>
          socket.end(`HTTP/1.1 101 Upgraded\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Node: ${name}\r\n\r\n`),
        )
      }),
    )
    const of = (member: number) => ({ cookie: `theme=dark; __Host-primo=token.${member}` })
    const nodeOf = (path: string, member: number) => textOf(ask(path, { headers: of(member) }))
    const socketOf = async (member: number) => {
      const headers = { ...of(member), connection: 'Upgrade', upgrade: 'websocket' }
      const asked = ask('/companion/api/token', { headers }).end()
      const [answer, socket] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket]
      socket.destroy()
      return answer.headers['x-node']
    }
    const homes = new Set<string>()
    for (let member = 0; member < 12; member++) {
      const home = await nodeOf('/companion/drive/list', member)
      homes.add(home)
      expect([await nodeOf('/companion/drive/get/1', member), await socketOf(member)]).toEqual([home, home])
    }
    const free = new Set(await Promise.all(Array.from({ length: 12 }, () => nodeOf('/api/products', 1))))
    expect([homes.size, free.size]).toEqual([2, 2])
  },
)

/** Starts nodes behind nginx. */
async function openProxied(...nodes: Server[]) {
  for (const node of nodes) {
    await new Promise<void>((done) => node.listen(0, '127.0.0.1', done))
    onTestFinished(() => void node.close().closeAllConnections())
  }
  const [first, second] = nodes.map((node) => (node.address() as AddressInfo).port)
  const proxy = await openNginx([first!, second!])
  onTestFinished(() => proxy.stop())
  const ask = (path: string, options: RequestOptions = {}) =>
    request({ port: proxy.port, path, rejectUnauthorized: false, agent: false, ...options })
  const answerOf = async (asked: ClientRequest, body?: string) => {
    const [answer] = (await once(asked.end(body), 'response')) as [IncomingMessage]
    return { status: answer.statusCode!, headers: answer.headers, body: await text(answer) }
  }
  return { ask, answerOf, textOf: async (asked: ClientRequest) => (await answerOf(asked)).body }
}

/** A node without its database. It serves only assets from memory. */
const cutOff = () =>
  createServer((asked, answer) => {
    const isStill = asked.url!.startsWith('/assets/')
    answer.writeHead(isStill ? 200 : 503, { 'retry-after': '2' }).end(isStill ? 'still' : 'its own words')
  })

test.skipIf(lacks('nginx'))('nginx sends requests to another node while a node has no database', async () => {
  const { ask, answerOf } = await openProxied(
    cutOff(),
    createServer((_, answer) => answer.end()),
  )
  const post = async () => (await answerOf(ask('/order', { method: 'POST' }), 'body')).status
  const get = async () => (await answerOf(ask('/api/cart'))).status
  const reads: number[] = []
  for (let i = 0; i < 20; i++) reads.push(await get())
  expect(new Set(reads)).toEqual(new Set([200]))
  // nginx does not repeat a write, but by now it skips the node without its database
  expect(new Set([await post(), await post(), await post(), await post()])).toEqual(new Set([200]))
})

test.skipIf(lacks('nginx'))('nginx passes on the answers of two nodes that have no database', async () => {
  const { ask, answerOf } = await openProxied(cutOff(), cutOff())
  for (let i = 0; i < 12; i++) {
    expect(await answerOf(ask('/api/cart'))).toMatchObject({ status: 503, body: 'its own words' })
    expect(await answerOf(ask('/assets/app.js'))).toMatchObject({ status: 200, body: 'still' })
  }
})

test.skipIf(lacks('nginx'))(
  'nginx repeats no write that a node may have begun, and answers 503 as HTML or JSON',
  async () => {
    const seen: string[] = []
    const dying = () =>
      createServer((asked) => {
        seen.push(asked.method!)
        asked.socket.destroy()
      })
    const { ask, answerOf } = await openProxied(dying(), dying())
    const html = await answerOf(ask('/orders.json', { method: 'POST', headers: { accept: 'text/html,*/*' } }), 'body')
    expect(html).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2', 'content-type': 'text/html; charset=utf-8' },
    })
    expect(html.body).toContain('Please try again')
    const json = await answerOf(ask('/orders', { method: 'PATCH' }))
    expect(json).toMatchObject({ status: 503, headers: { 'retry-after': '2', 'content-type': 'application/json' } })
    expect(JSON.parse(json.body)).toEqual({ message: 'The shop is busy. Please try again in a moment.' })
    expect(seen).toEqual(['POST', 'PATCH'])
    await answerOf(ask('/orders', { method: 'DELETE' }))
    expect(seen.slice(2)).toEqual(['DELETE', 'DELETE'])
  },
)

test('in compose.yaml nginx resolves the address of a replaced node again', () => {
  const made = join(folder, 'compose.conf')
  const resolv = join(folder, 'resolv.conf')
  writeFileSync(resolv, 'search shop.example\nnameserver 10.89.0.1\nnameserver 10.0.0.2\n')
  expect(run('sh', ['nginx.compose.sh', 'nginx.conf', made, resolv])).toEqual({ status: 0, output: '' })
  const output = readFileSync(made, 'utf8')
  expect(output).not.toContain('127.0.0.1:')
  const servers = output.match(/^ {2}server .*/gm)!
  expect(servers).toHaveLength(6)
  expect(servers.filter((line) => !/ node[12]:3000 .*resolve;$/.test(line))).toEqual([])
  expect(output.match(/^upstream .*\n {2}zone \w+ 64k;\n {2}resolver 10\.89\.0\.1 valid=2s;/gm)).toHaveLength(2)
  // deprecated since nginx 1.25.1
  expect(output).not.toMatch(/listen .* http2;/)
  expect(output).toMatch(/^ *listen 443 ssl;\n *http2 on;$/m)
})

test.each(['../compose.yaml', 'compose.yaml'])(
  '%s hardens the containers of the shop and limits their logs',
  (path) => {
    const compose = readFileSync(join(DEPLOY, path), 'utf8')
    for (const line of [
      'read_only: true',
      'tmpfs: [/tmp]',
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
      'mem_limit: 1g',
      'pids_limit: 512',
      'logging: &logging { driver: local,',
    ])
      expect(compose, line).toContain(line)
    const services = compose.match(/^ +(image: \S+:\d|build:)/gm)!
    expect(compose.match(/logging: [&*]logging/g)).toHaveLength(services.length)
  },
)

test('compose.yaml publishes the shop on the local machine only, behind a proxy', () => {
  const ports = /ports: (.*)/.exec(readFileSync(join(DEPLOY, '../compose.yaml'), 'utf8'))![1]
  expect(ports).toBe("['${BIND:-127.0.0.1}:${PORT:-3000}:3000']")
})

test('the image contains no secrets, documents or tests, and has a version label', () => {
  const ignored = readFileSync(join(DEPLOY, '../.dockerignore'), 'utf8').split('\n')
  for (const path of ['.git', '**/.env*', '**/*.key', '**/secret.yaml', 'node_modules', 'docs', 'e2e', 'test'])
    expect(ignored).toContain(path)
  const dockerfile = readFileSync(join(DEPLOY, '../Dockerfile'), 'utf8')
  for (const label of ['title', 'licenses', 'version', 'revision', 'source'])
    expect(dockerfile).toContain(`org.opencontainers.image.${label}=`)
  expect(dockerfile).toContain('scripts/prune.ts')
  expect(dockerfile).toMatch(/^USER node$/m)
})

test('all systemd units have the same limits', () => {
  for (const unit of readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.service')))
    for (const line of [
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'SystemCallFilter=@system-service',
      'UMask=0077',
    ])
      expect(readFileSync(join(DEPLOY, 'systemd', unit), 'utf8'), unit).toContain(`\n${line}\n`)
})

test.skipIf(lacks('promtool'))(
  'Prometheus accepts the rules and its settings, and the most important alerts fire when they should',
  () => {
    const prometheus = join(DEPLOY, 'prometheus')
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['check', 'config', 'prometheus.yaml'],
      ['test', 'rules', 'alerts.tests.yaml'],
    ])
      expect(run('promtool', args, prometheus), args.join(' ')).toMatchObject({ status: 0 })
    // Debian's Prometheus does not support Kubernetes
    const inCluster = readFileSync(join(prometheus, 'kubernetes.yaml'), 'utf8')
    const known = join(folder, 'prometheus.yaml')
    writeFileSync(known, inCluster.replace(/kubernetes_sd_configs:\n.*\n/, "static_configs: [{ targets: ['a:1'] }]\n"))
    cpSync(join(prometheus, 'alerts.yaml'), join(folder, 'alerts.yaml'))
    expect(run('promtool', ['check', 'config', known])).toMatchObject({ status: 0 })
    expect(inCluster).toContain('job_name: primo\n')
  },
)

test.skipIf(lacks('systemd-analyze'))('systemd accepts the units, and each timer has its service', () => {
  const units = readdirSync(join(DEPLOY, 'systemd'))
  // programs that are not installed on this machine
  const away = /is not executable: No such file or directory|^\s*$/
  const { output } = run('systemd-analyze', ['verify', ...units.map((unit) => `./${unit}`)], join(DEPLOY, 'systemd'))
  expect(output.split('\n').filter((line) => !away.test(line))).toEqual([])
  const timers = units.filter((unit) => unit.endsWith('.timer')).map((unit) => unit.replace('.timer', '.service'))
  expect(timers.filter((unit) => !units.includes(unit))).toEqual([])
})

test('each node under systemd has a separate metrics port, which Prometheus scrapes', () => {
  const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
  const files = read('systemd/primo@.service').match(/^EnvironmentFile=.*/gm)
  expect(files).toEqual(['EnvironmentFile=/etc/primo/shop.env', 'EnvironmentFile=-/etc/primo/%i.env'])
  const written = [
    ...read('../docs/operating/systemd.md').matchAll(/^ *echo METRICS_PORT=(\d+) > \/etc\/primo\/(\d+)\.env$/gm),
  ]
  expect(written.map(([, , node]) => node)).toEqual(['3001', '3002'])
  const asked = [...read('prometheus/prometheus.yaml').matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port)
  expect(written.map(([, port]) => port)).toEqual(asked)
})

test('the guide for newcomers has valid bash commands and ends with those that stop the shop', () => {
  const { setUp, stop } = readGuide()
  expect(setUp.split('\n').length).toBeGreaterThan(50)
  expect(stop).toContain('kill')
  for (const script of [setUp, stop]) expect(run('bash', ['-n', '-c', script])).toEqual({ status: 0, output: '' })
})

type Container = {
  image: string
  resources: { requests: object; limits: { memory: string } }
  securityContext: { allowPrivilegeEscalation: boolean }
  envFrom: { secretRef?: { name: string }; configMapRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}
type Probe = { httpGet: { path: string; port: string } }
type Pod = {
  template: { metadata: { labels: Record<string, string> }; spec: { containers: Container[]; securityContext: object } }
}
type Thing = { kind: string; metadata: { name: string }; stringData?: object; data?: object; spec: unknown }

test.skipIf(lacks('kubectl'))(
  'Kubernetes accepts the manifests, with probes, limits, a budget, secrets and the job of migrations',
  () => {
    const copy = join(folder, 'kubernetes')
    mkdirSync(copy)
    cpSync(join(DEPLOY, 'kubernetes'), copy, { recursive: true })
    renameSync(join(copy, 'secret.example.yaml'), join(copy, 'secret.yaml'))
    const all = execFileSync('kubectl', ['kustomize', copy], { encoding: 'utf8' })
    // validates each manifest against its schema, without a server
    const args = ['annotate', '--local', '-f', '-', 'read=yes', '-o', 'json']
    const read = execFileSync('kubectl', args, { input: all, encoding: 'utf8' })
    const things = JSON.parse(`[${read.replaceAll(/^\}\n\{/gm, '},{')}]`) as Thing[]
    const named = (kind: string, name: string) => things.find((one) => one.kind === kind && one.metadata.name === name)!
    const shop = named('Deployment', 'primo').spec as Pod & { replicas: number }
    const migrate = named('Job', 'primo-migrate').spec as Pod
    const crons = things
      .filter(({ kind }) => kind === 'CronJob')
      .map(({ spec }) => (spec as { jobTemplate: { spec: Pod } }).jobTemplate.spec)
    expect(crons).toHaveLength(2)
    for (const { template } of [shop, migrate, ...crons]) {
      expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
      for (const container of template.spec.containers) {
        expect(container.image).toMatch(/^registry\.example\/primo:\d/)
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        })
        expect(container.securityContext).toMatchObject({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        })
        for (const { secretRef, configMapRef } of container.envFrom)
          expect(secretRef ? named('Secret', secretRef.name) : named('ConfigMap', configMapRef!.name)).toBeDefined()
      }
    }
    const [container] = shop.template.spec.containers
    // kubectl has no schema of this kind, so compare its names with those of the pods
    const monitor = readFileSync(join(DEPLOY, 'kubernetes/podmonitor.yaml'), 'utf8')
    expect(monitor).toContain(`matchLabels: { app: ${shop.template.metadata.labels.app} }`)
    const watched = /- port: (\w+)/.exec(monitor)![1]
    expect(container!.ports!.some(({ name }) => name === watched)).toBe(true)
    for (const [probe, path] of [
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ] as const) {
      const { httpGet } = container![probe]!
      expect(httpGet.path).toBe(path)
      expect(container!.ports!.some(({ name }) => name === httpGet.port)).toBe(true)
    }
    const secretsOf = ({ envFrom }: Container) => envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])
    expect(secretsOf(container!)).toEqual(['primo-secrets'])
    expect(secretsOf(migrate.template.spec.containers[0]!)).toContain('primo-owner')
    const budget = named('PodDisruptionBudget', 'primo').spec as {
      minAvailable: number
      selector: { matchLabels: object }
    }
    expect(budget.minAvailable).toBeLessThan(shop.replicas)
    expect(shop.template.metadata.labels).toMatchObject(budget.selector.matchLabels)
    expect((named('Service', 'primo').spec as { selector: object }).selector).toEqual(budget.selector.matchLabels)
  },
)
