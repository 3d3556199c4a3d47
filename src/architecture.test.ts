import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

// The house rules as a test. Top to bottom: a room imports only from rooms above it; `app` comes last and may import all.
const ROOMS = [
  'kit',
  'ui',
  'identity',
  'notifications',
  'monitoring',
  'localisation',
  'risk',
  'uploads',
  'catalogue',
  'reviews',
  'cart',
  'payments',
  'delivery',
  'orders',
  'checkout',
  'selling',
  'assistant',
  'account',
  'admin',
  'app',
]

type Source = { file: string; text: string }
type Side = 'server' | 'browser' | 'both'

const roomOf = (file: string) => file.split('/')[1]!
const importsOf = ({ file, text }: Source) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) => normalize(join(dirname(file), to!)))

function sideOf(file: string): Side {
  const name = basename(file)
  if (name.endsWith('.server.ts')) return 'server'
  return name.endsWith('.tsx') || name.endsWith('.client.ts') || /^use[A-Z]\w*\.ts$/.test(name) ? 'browser' : 'both'
}

/** What a source file does against the rules of the house; nothing when it keeps them. */
function findFaults(source: Source): string[] {
  const { file, text } = source
  const faults = importsOf(source).flatMap((target) => {
    if (!target.startsWith('src/') || target.endsWith('.css')) return []
    const isUp = ROOMS.indexOf(roomOf(target)) <= ROOMS.indexOf(roomOf(file))
    const isSameSide = sideOf(target) === 'both' || sideOf(target) === sideOf(file)
    return [
      ...(isUp ? [] : [`imports ${target}, which stands below it`]),
      ...(isSameSide ? [] : [`imports ${target} of the other side`]),
    ]
  })
  if (!ROOMS.includes(roomOf(file))) faults.push('stands in no room')
  if (text.includes('process.env') && file !== 'src/kit/config.server.ts') faults.push('reads process.env')
  if (/from 'fastify'/.test(text) && !file.startsWith('src/kit/serve/')) faults.push('names the HTTP library')
  if (/from 'zod'/.test(text) && sideOf(file) === 'both')
    faults.push("imports 'zod' where the browser reads it; 'zod/mini' is a quarter of it")
  if (/from 'node:/.test(text) && sideOf(file) !== 'server') faults.push('imports Node where the browser reads it')
  if (/^export default/m.test(text)) faults.push('has a default export')
  if (/^export (\*|\{[^}]*\}) from/m.test(text)) faults.push('passes on what is not its own')
  if (text.split('\n').length > 301 && !text.startsWith('//'))
    faults.push('is over 300 lines and does not say why in its first line')
  return faults
}

const sources: Source[] = globSync('src/*/**/*.{ts,tsx}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test(\.help)?\.tsx?$|\.d\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test.each(sources)('$file keeps the rules of the house', (source) => {
  expect(findFaults(source)).toEqual([])
})

test.each([
  [
    'a room that imports one below it',
    'src/cart/cart.server.ts',
    "import { x } from '../orders/orders.server.ts'",
    'below',
  ],
  ['a page that imports the server', 'src/cart/Cart.tsx', "import { x } from './cart.server.ts'", 'other side'],
  [
    'a contract that imports the server',
    'src/cart/cart.contract.ts',
    "import { x } from '../kit/log.server.ts'",
    'other side',
  ],
  ['a lazy import of the server', 'src/cart/Cart.tsx', "const x = await import('./cart.server.ts')", 'other side'],
  ['a setting read in a room', 'src/cart/cart.server.ts', 'const x = process.env.PORT', 'process.env'],
  [
    'a room that knows the HTTP library',
    'src/cart/cart.server.ts',
    "import { fastify } from 'fastify'",
    'HTTP library',
  ],
  ['a rule that needs Node', 'src/cart/cart.rules.ts', "import fs from 'node:fs'", 'Node'],
  ['a contract with the large zod', 'src/cart/cart.contract.ts', "import { z } from 'zod'", 'zod/mini'],
  ['a barrel', 'src/cart/index.ts', "export * from './cart.contract.ts'", 'not its own'],
  ['a default export', 'src/cart/Cart.tsx', 'export default function Cart() {}', 'default export'],
  ['an unknown room', 'src/utils/x.ts', '', 'no room'],
])('the rules catch %s', (_, file, text, complaint) => {
  expect(findFaults({ file, text }).join()).toContain(complaint)
})
