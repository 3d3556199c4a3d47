import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { drawRooms, PICTURE } from '../scripts/drawRooms.ts'
import { importsOf, readSources, roomOf, sideOf, type Source } from '../scripts/house.ts'
import { ROOMS } from './kit/schema/rooms.ts'

// Each rule of the house is a function that returns faults. The real tree must have none; a planted fault must be found.

const MAX_FILES_IN_A_FOLDER = 30
const MAX_FILES_IN_APP = 60
/** A room reads its own tables and those of rooms above it, except for these. */
const READS_BELOW: Record<string, string[]> = {
  // Sales, codes and lessons decide whether a product can change its kind. Its page shows lessons and devices.
  'src/catalogue/catalogue.views.sql': [
    'codes of delivery',
    'order_lines of orders',
    'orders of orders',
    'supplied_products of delivery',
    'course_parts of delivery',
    'license_terms of delivery',
  ],
  // a product in a cart is archived, because its deletion would empty the cart without a word
  'src/catalogue/removal.store.server.ts': ['cart_items of cart'],
  // a shopper who has a copy can buy a second one as a gift
  'src/cart/cart.sql': ['entitlements of delivery', 'open_copy of delivery'],
  // the list of discount codes shows the revenue of each
  'src/cart/discounts/ownDiscounts.sql': ['orders of orders'],
  // a member reads why purchases wait
  'src/identity/accounts/account.sql': ['risk_blocks of risk'],
  // a line of an order shows the refund that its buyer asked for
  'src/purchases/purchases.views.sql': ['refund_requests of aftersale'],
}
/** These rooms serve every payment provider, so they name none. */
const PROVIDER_FREE = ['checkout', 'aftersale', 'orders', 'cart', 'delivery']

function findFaults(source: Source): string[] {
  const { file, text } = source
  const faults = importsOf(source).flatMap((target) => {
    if (target.endsWith('.css')) return []
    if (!target.startsWith('src/')) return []
    const isAbove = ROOMS.indexOf(roomOf(target)) <= ROOMS.indexOf(roomOf(file))
    const isSameSide = sideOf(target) === 'both' || sideOf(target) === sideOf(file)
    return [
      ...(isAbove ? [] : [`imports ${target}, which stands below it`]),
      ...(isSameSide ? [] : [`imports ${target} of the other side`]),
    ]
  })
  // The sandbox and the demo store are loaded on demand only.
  if (/^import [^\n]*from '(\.\.\/)+(sandbox|demo|scripts|test)\//m.test(text)) faults.push('imports from outside src')
  if (!ROOMS.includes(roomOf(file))) faults.push('stands in no room')
  if (text.includes('process.env') && file !== 'src/kit/config.server.ts') faults.push('reads process.env')
  if (/from 'fastify'/.test(text) && !file.startsWith('src/kit/serve/')) faults.push('names the HTTP library')
  if (/paypal|stripe|usdc/i.test(text) && PROVIDER_FREE.includes(roomOf(file))) faults.push('names a payment provider')
  if (/from 'zod'/.test(text) && sideOf(file) === 'both')
    faults.push("imports 'zod' where the browser reads it; 'zod/mini' is a quarter of it")
  if (/from 'node:/.test(text) && sideOf(file) !== 'server') faults.push('imports Node where the browser reads it')
  if (text.includes('$${toDecimal(')) faults.push('writes an amount without `usd`, which separates thousands')
  if (/^export default/m.test(text)) faults.push('has a default export')
  if (/^export (\*|\{[^}]*\}) from/m.test(text)) faults.push('re-exports from another file')
  if (text.split('\n').length > 301 && !text.startsWith('//'))
    faults.push('is over 300 lines and does not say why in its first line')
  return faults
}

/** Circles of imports between files. Type imports count: two files that need each other's types belong together. */
function findCircles(sources: Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.file, importsOf(source)]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const { file } of sources) visit(file, [])
  return circles
}

const WRITE =
  /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'|\b(?:INSERT INTO|DELETE FROM|UPDATE(?=\s+\w+(?:\s+AS\s+\w+)?\s+SET\b))\s+([a-z_]+)/g

/** The room of each table: that of the last `-- Room: name` above it, or that of the migration's name. */
function findOwners(migrations: Source[]): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { file, text } of migrations) {
    let owner = basename(file, '.sql').replace(/^\d+_/, '')
    for (const [, room, table] of text.matchAll(
      /^-- Room: (\w+)|^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gim,
    )) {
      if (room) owner = room
      if (table) owners.set(table, owner)
    }
  }
  return owners
}

/** Tables that a room writes although another room's migration creates them. Triggers belong to the migration. */
function findForeignWrites(sources: Source[], migrations: Source[]): string[] {
  const owners = findOwners(migrations)
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(WRITE)].flatMap(([, camel, snake]) => {
      const table = snake ?? camel!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const owner = owners.get(table)
      return !owner || owner === roomOf(file) ? [] : [`${file} writes ${table}, which ${owner} owns`]
    }),
  )
}

const READ = /\b(?:FROM|JOIN|USING)\s+(?:ONLY )?([a-z_]+)\b|(?:selectFrom|innerJoin|leftJoin)\(\s*'(\w+)/g

/** Files with the tables and views of rooms below that they read: 'src/cart/cart.sql reads open_copy of delivery'. */
function findReadsBelow(texts: Source[], owners: Map<string, string>): string[] {
  return texts.flatMap(({ file, text }) => {
    const names = [...text.matchAll(READ)].map(
      ([, snake, camel]) => snake ?? camel!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
    return [...new Set(names)].flatMap((name) => {
      const owner = owners.get(name)
      const isBelow = owner !== undefined && ROOMS.indexOf(owner) > ROOMS.indexOf(roomOf(file))
      return isBelow ? [`${file} reads ${name} of ${owner}`] : []
    })
  })
}

function findCrowds(all: string[]): string[] {
  const files = all.filter((file) => !/\.(module|statements\.server)\.ts$/.test(file))
  const folders = Map.groupBy(files, (file) => dirname(file))
  const crowded = [...folders].filter(([, own]) => own.length > MAX_FILES_IN_A_FOLDER).map(([folder]) => folder)
  const app = files.filter((file) => roomOf(file) === 'app')
  return app.length > MAX_FILES_IN_APP ? [...crowded, 'src/app'] : crowded
}

/** Pairs such as `session.server.ts` and `sessions.server.ts`, which a reader cannot tell apart. */
function findPlurals(files: string[]): string[] {
  const groups = Map.groupBy(files, (file) => file.toLowerCase().replace(/^(.*\/[^/.]*?)s?(\.[^/]*)$/, '$1$2'))
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.join(', '))
}

const sources = readSources()
const files = sources.map(({ file }) => file)
const migrations = globSync('migrations/*.sql').map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test.each(sources)('$file keeps the rules of the house', (source) => {
  expect(findFaults(source)).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(findCircles(sources)).toEqual([])
})

test('each table is written by its own room only', () => {
  expect(findForeignWrites(sources, migrations)).toEqual([])
})

test('a room reads tables of rooms below only where the list says why', () => {
  const sql = globSync('src/**/*.sql').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const views = sql.flatMap(({ file, text }) =>
    [...text.matchAll(/^CREATE OR REPLACE (?:VIEW|FUNCTION) (\w+)/gm)].map(
      ([, view]) => [view!, roomOf(file)] as const,
    ),
  )
  const owners = new Map([...findOwners(migrations), ...views])
  const listed = Object.entries(READS_BELOW).flatMap(([file, reads]) => reads.map((read) => `${file} reads ${read}`))
  expect(findReadsBelow([...sources, ...sql], owners).toSorted()).toEqual(listed.toSorted())
  expect(listed.length).toBeLessThanOrEqual(12)
})

test('each .sql file has a name of its own, which begins the names of its prepared statements', () => {
  const names = globSync('src/**/*.sql')
    .filter((file) => !file.endsWith('.views.sql'))
    .map((file) => basename(file))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

/** A view that copies the columns of another cannot be replaced once the other gains one. */
const copiesColumns = (text: string) => /VIEW \w+ AS\s+SELECT(?:(?!\bFROM\b|;)[^])*\.\*/.test(text)

test('each view lists its columns', () => {
  expect(copiesColumns('CREATE OR REPLACE VIEW a AS SELECT b.*, c.d FROM b;')).toBe(true)
  expect(globSync('src/*/*.views.sql').filter((file) => copiesColumns(readFileSync(file, 'utf8')))).toEqual([])
})

test('the rules find a read of a room below', () => {
  const owners = new Map([['order_lines', 'orders']])
  for (const text of ['SELECT FROM a JOIN order_lines l ON true', "db.selectFrom('orderLines')"])
    expect(findReadsBelow([{ file: 'src/cart/x.server.ts', text }], owners)).toHaveLength(1)
  expect(findReadsBelow([{ file: 'src/checkout/x.sql', text: 'SELECT FROM order_lines' }], owners)).toEqual([])
})

test('no folder is crowded', () => {
  expect(findCrowds(files)).toEqual([])
})

test('each room has one module, and only the shop opens modules', () => {
  const modules = files.filter((file) => file.endsWith('.module.ts'))
  const rooms = ROOMS.filter((room) => room !== 'ui')
  expect(modules.toSorted()).toEqual(rooms.map((room) => `src/${room}/${room}.module.ts`).toSorted())
  const users = sources.filter(({ text }) => /^import \{[^}]*\} from '[^']*(?<!kit\/kit)\.module\.ts'/m.test(text))
  expect(users.map(({ file }) => file)).toEqual(['src/app/shop.server.ts'])
})

test('no two files of a folder differ by a plural only', () => {
  expect(findPlurals(files)).toEqual([])
})

test('docs/rooms.svg shows the imports of today; `npm run rooms` draws it', () => {
  expect(readFileSync(PICTURE, 'utf8')).toBe(drawRooms(sources))
})

test('ARCHITECTURE.md names existing files only', () => {
  const named = [
    ...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`((?:src|docs|scripts|demo|sandbox)\/[\w./-]+)`/g),
  ]
  expect(named.map(([, path]) => path!).filter((path) => !existsSync(path))).toEqual([])
})

test.each([
  ['a room that imports from one below it', 'cart/x.server.ts', "import { x } from '../orders/y.server.ts'", 'below'],
  ['an import from outside src', 'cart/x.ts', "import { x } from '../../sandbox/y.ts'", 'from outside src'],
  ['a page that imports the server', 'cart/Cart.tsx', "import { x } from './x.server.ts'", 'other side'],
  ['a page that imports a module', 'cart/Cart.tsx', "import { cart } from './cart.module.ts'", 'other side'],
  ['a contract that imports the server', 'cart/x.contract.ts', "import { x } from '../kit/y.server.ts'", 'other side'],
  ['a lazy import of the server', 'cart/Cart.tsx', "const x = await import('./x.server.ts')", 'other side'],
  ['a setting read in a room', 'cart/x.server.ts', 'const x = process.env.PORT', 'process.env'],
  ['a room that knows the HTTP library', 'cart/x.server.ts', "import { fastify } from 'fastify'", 'HTTP library'],
  ['a provider in checkout', 'checkout/x.server.ts', 'const x = payment.paypalOrder', 'payment provider'],
  ['a rule that needs Node', 'cart/x.rules.ts', "import fs from 'node:fs'", 'Node'],
  ['a contract with the large zod', 'cart/x.contract.ts', "import { z } from 'zod'", 'zod/mini'],
  ['a barrel', 'cart/index.ts', "export * from './x.contract.ts'", 're-exports'],
  ['an amount in its own form', 'cart/x.server.ts', 'const x = `$${toDecimal(cents)}`', '`usd`'],
  ['a default export', 'cart/Cart.tsx', 'export default function Cart() {}', 'default export'],
  ['an unknown room', 'utils/x.ts', '', 'no room'],
  ['a long file without a reason', 'cart/x.ts', '\n'.repeat(302), '300 lines'],
])('the rules find %s', (_, file, text, complaint) => {
  expect(findFaults({ file: `src/${file}`, text }).join()).toContain(complaint)
})

test('the rules find a circle of types', () => {
  const planted = [
    { file: 'src/cart/a.ts', text: "import { b } from './b.ts'" },
    { file: 'src/cart/b.ts', text: "import type { A } from './a.ts'" },
  ]
  expect(findCircles(planted)).toEqual(['src/cart/a.ts -> src/cart/b.ts -> src/cart/a.ts'])
})

test.each([
  "tx.updateTable('orderLines').set({ quantity: 1 })",
  'sql`INSERT INTO order_lines (id) VALUES (1)`',
  'sql`UPDATE order_lines SET quantity = 1`',
])('the rules find a write to the table of another room: %s', (text) => {
  const migration = { file: 'migrations/12_orders.sql', text: 'CREATE TABLE order_lines (id uuid)' }
  expect(findForeignWrites([{ file: 'src/cart/x.server.ts', text }], [migration])).toHaveLength(1)
  expect(findForeignWrites([{ file: 'src/orders/x.server.ts', text }], [migration])).toEqual([])
})

test('a migration of two rooms names the room of each table', () => {
  const text = 'CREATE TABLE payments (id uuid);\n-- Room: providers\nCREATE TABLE usdc_cursors (id uuid);'
  expect([...findOwners([{ file: 'migrations/09_payments.sql', text }])]).toEqual([
    ['payments', 'payments'],
    ['usdc_cursors', 'providers'],
  ])
})

test('the rules find a crowded folder and a crowded app', () => {
  const many = Array.from({ length: 31 }, (_, i) => `src/cart/x${i}.ts`)
  const app = Array.from({ length: 61 }, (_, i) => `src/app/${i % 3}/x${i}.ts`)
  expect(findCrowds([...many, ...app])).toEqual(['src/cart', 'src/app'])
})

test('the rules find two files that differ by a plural', () => {
  expect(findPlurals(['src/cart/session.server.ts', 'src/cart/sessions.server.ts', 'src/cart/x.ts'])).toHaveLength(1)
  expect(findPlurals(['src/cart/row.rules.ts', 'src/cart/rows.rules.ts', 'src/orders/row.rules.ts'])).toHaveLength(1)
})
