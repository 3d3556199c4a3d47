import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readGuide } from '../drill/guide.ts'
import { openNginx } from '../drill/proxies.ts'

// The files of deploy/ are read by the programs that will read them.

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
  'nginx takes its file, and leads the imports of a member and their socket to one node',
  async () => {
    const nodes = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const node = createServer((_, answer) => answer.end(name))
        node.on('upgrade', (_, socket) =>
          socket.end(`HTTP/1.1 101 Upgraded\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Node: ${name}\r\n\r\n`),
        )
        await new Promise<void>((done) => node.listen(0, '127.0.0.1', done))
        onTestFinished(() => void node.close())
        return (node.address() as AddressInfo).port
      }),
    )
    const proxy = await openNginx([nodes[0]!, nodes[1]!])
    onTestFinished(() => proxy.stop())
    const ask = (path: string, member: number, more = {}) =>
      get({
        ...{ port: proxy.port, path, rejectUnauthorized: false, agent: false },
        headers: { cookie: `theme=dark; __Host-primo=token.${member}`, ...more },
      })
    const nodeOf = async (path: string, member: number) => {
      const [answer] = (await once(ask(path, member), 'response')) as [IncomingMessage]
      return text(answer)
    }
    const socketOf = async (member: number) => {
      const asked = ask('/companion/api/token', member, { connection: 'Upgrade', upgrade: 'websocket' })
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

test.skipIf(lacks('promtool'))(
  'Prometheus takes the rules and its settings, and the most important alerts fire when they should',
  () => {
    const prometheus = join(DEPLOY, 'prometheus')
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['check', 'config', 'prometheus.yaml'],
      ['test', 'rules', 'alerts.tests.yaml'],
    ])
      expect(run('promtool', args, prometheus), args.join(' ')).toMatchObject({ status: 0 })
  },
)

test.skipIf(lacks('systemd-analyze'))('systemd takes the units, and each timer has its service', () => {
  const units = readdirSync(join(DEPLOY, 'systemd'))
  // programs of a server that is not this one
  const away = /is not executable: No such file or directory|^\s*$/
  const { output } = run('systemd-analyze', ['verify', ...units.map((unit) => `./${unit}`)], join(DEPLOY, 'systemd'))
  expect(output.split('\n').filter((line) => !away.test(line))).toEqual([])
  const timers = units.filter((unit) => unit.endsWith('.timer')).map((unit) => unit.replace('.timer', '.service'))
  expect(timers.filter((unit) => !units.includes(unit))).toEqual([])
})

test('the guide for a newcomer has commands that bash can read, and ends with those that stop it', () => {
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
  'Kubernetes takes the manifests, with probes, limits, a budget, secrets and the job of migrations',
  () => {
    const copy = join(folder, 'kubernetes')
    mkdirSync(copy)
    cpSync(join(DEPLOY, 'kubernetes'), copy, { recursive: true })
    renameSync(join(copy, 'secret.example.yaml'), join(copy, 'secret.yaml'))
    const all = execFileSync('kubectl', ['kustomize', copy], { encoding: 'utf8' })
    // reads each by its schema, without a server
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
        expect(container.securityContext.allowPrivilegeEscalation).toBe(false)
        for (const { secretRef, configMapRef } of container.envFrom)
          expect(secretRef ? named('Secret', secretRef.name) : named('ConfigMap', configMapRef!.name)).toBeDefined()
      }
    }
    const [container] = shop.template.spec.containers
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
