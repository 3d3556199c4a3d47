import { writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Load } from '../demo/seed.ts'
import { isSmallest, places, sized } from '../drill/profile.ts'
import { measureFootprint } from './footprint.ts'
import { type Figures, measure, ROUND_SECONDS, ROUNDS, WARM_UP_SECONDS } from './measure.ts'
import { type Row, rowsOf } from './rows.ts'
import { CONNECTIONS, MEMBERS, SHOPPERS, startHelpers } from './sides.ts'
import { openBenchStage, residentMb } from './stage.ts'
import { measureStarts } from './starts.ts'
import { firstOf, lastOf, required } from '../src/kit/values/required.ts'

// npm run bench [-- FOLDER] measures actions of a customer in a small and a large store, and compares them with the
// limit of the same machine. FOLDER stores the large shop for later runs. Writes bench/results.md without --smallest.

const SIZES: Load[] = sized(
  [
    { products: 1_000, users: MEMBERS + 10, orders: 20_000 },
    { products: 100_000, users: 100_000, orders: 1_000_000 },
  ],
  [{ products: 100, users: 20, orders: 100 }],
)

type Measured = { name: string; kind?: Row['kind']; ours: Figures; limit?: Figures }

const progress = (text: string) => process.stderr.write(`${text}\n`)

async function measureSize(size: Load, folder?: string) {
  progress(`${size.products} products, ${size.orders} orders`)
  const stage = await openBenchStage(size, { folder, members: MEMBERS })
  const helpers = await startHelpers()
  try {
    const rows: Measured[] = []
    for (const { name, ours, limit, kind, prepare } of rowsOf(stage, helpers)) {
      progress(name)
      await prepare?.()
      const [one, other] = await measure(stage.pgDir, limit ? [ours, limit] : [ours])
      rows.push({
        name,
        ours: required(one, 'the result of the shop'),
        ...(kind && { kind, limit: required(other, 'the result of the limit') }),
      })
    }
    const { checkout, providersStatements } = stage.recordings
    const loadedMb = residentMb(stage.shop.pid)
    progress('memory and starts in production')
    const footprint = await measureFootprint(stage)
    return { rows, statements: [checkout.length, providersStatements] as const, loadedMb, footprint }
  } finally {
    helpers.close()
    await stage.close()
  }
}

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const costOf = ({ ownMs, postgresMs }: Figures) => ownMs + postgresMs

function describe(sizes: Awaited<ReturnType<typeof measureSize>>[], starts: Awaited<ReturnType<typeof measureStarts>>) {
  const names = SIZES.map(({ products }) => products.toLocaleString('en'))
  const table = firstOf(sizes).rows.map(({ name, kind }, i) => {
    const both = sizes.map(({ rows }) => required(rows[i], 'a row'))
    const costs = both.map(({ ours }) => costOf(ours))
    const cells = both.flatMap(({ ours, limit }) => [
      number(ours.perSecond),
      limit ? (ours.perSecond / limit.perSecond).toFixed(2) : '',
      ours.p50.toFixed(1),
      ours.ownMs.toFixed(3),
      ours.postgresMs.toFixed(3),
    ])
    return `| ${[name, kind ?? '', ...cells, (lastOf(costs) / firstOf(costs)).toFixed(2)].join(' | ')} |`
  })
  const head = names.flatMap((name) => [`${name}: per second`, 'of the limit', 'p50 ms', 'shop CPU ms', 'SQL CPU ms'])
  const [[own, providers]] = sizes.map(({ statements }) => statements) as [readonly [number, number]]
  return `# Benchmark

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${firstOf(cpus()).model.trim()}, Node ${process.version}, the embedded PostgreSQL with fsync on, one server process.
Two stores: ${SIZES.map((size) => `${size.products.toLocaleString('en')} products with ${size.orders.toLocaleString('en')} orders of ${size.users.toLocaleString('en')} accounts`).join(', and ')}.
${MEMBERS.toLocaleString('en')} signed-in buyers take turns on ${CONNECTIONS} connections (checkout: ${SHOPPERS}). Warm-up ${WARM_UP_SECONDS} s, medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s, both sides in turns; the load, the server and PostgreSQL share the machine.

| | limit | ${head.join(' | ')} | cost, large to small |
|---|---|${'---|'.repeat(head.length + 1)}
${table.join('\n')}

- The limit is bare \`node:http\` that sends the same head and bytes from memory, or the same SQL through the bare \`pg\` driver with the same pool. The last column compares CPU time per request of shop and PostgreSQL, which a busy machine distorts less.
- 'search, new' has two words, the second half typed, in a spelling that no cache knows.
- A full checkout is: add to cart, \`POST /order\`, approval at the sandbox, capture, settle: ${own} statements of the shop and ${providers} of the sandbox, which runs inside the same process.
- From the start of the process to the first page: ${number(starts.first)} ms on an empty folder (creates and fills a database), ${number(starts.second)} ms afterwards.
- Resident memory of the server: ${Math.round(starts.idleMb)} MB idle (with compiled sources cached by an earlier start), after the load ${sizes.map(({ loadedMb }, i) => `${Math.round(loadedMb)} MB with ${names[i]} products`).join(' and ')}.
${sizes.map(({ footprint }, i) => `- In production with ${names[i]} products: ready ${number(footprint.startMs)} ms after the start beside a running database; ${Math.round(footprint.idleMb)} MB after 60 s idle, ${Math.round(footprint.loadedMb)} MB after 30,000 mixed requests, ${Math.round(footprint.restedMb)} MB 30 s later.`).join('\n')}
`
}

const folder = places[0] ?? (isSmallest ? undefined : join(tmpdir(), 'primo-bench-large'))
progress('cold start')
const starts = await measureStarts()
const sizes = []
for (const [i, size] of SIZES.entries())
  sizes.push(await measureSize(size, i === SIZES.length - 1 ? folder : undefined))
const text = describe(sizes, starts)
if (!isSmallest) await writeFile(join(import.meta.dirname, 'results.md'), text)
console.log(text)
