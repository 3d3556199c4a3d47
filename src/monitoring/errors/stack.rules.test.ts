import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { openSourceMaps } from './sourceMaps.server.ts'
import { describeCause, parseStack, writeStack } from './stack.rules.ts'

const CHROMIUM = `TypeError: x is undefined
    at price (https://shop.example/assets/index-Dx12ab_9.js:1:20)
    at async https://shop.example/assets/shop-1.js:2:7
    at Array.map (<anonymous>)`
const FIREFOX = `price@https://shop.example/assets/index-Dx12ab_9.js:1:20
@https://shop.example/assets/shop-1.js:2:7
`

test.each([
  ['Chromium', CHROMIUM],
  ['Firefox and Safari', FIREFOX],
])('parses the frames of %s', (_, stack) => {
  expect(writeStack(parseStack(stack))).toBe(
    'price (/assets/index-Dx12ab_9.js:1:20)\n(anonymous) (/assets/shop-1.js:2:7)',
  )
})

test('finds no frames in other text, and cuts an endless stack', async () => {
  expect(parseStack('')).toEqual([])
  expect(parseStack('at \n@:\n    at (x)\n<script>')).toEqual([])
  expect(parseStack('    at x (a.js:1:2)\n'.repeat(5000))).toHaveLength(30)
  const slow = `${' '.repeat(690)}\n`.repeat(20) + 'at '.repeat(5000)
  expect(await cpuMs(() => parseStack(slow))).toBeLessThan(300)
})

test('maps frames of built scripts, but not those of other scripts and older releases', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-maps-'))
  const map = { version: 3, sources: ['../../src/cart/useCart.ts'], names: ['loadCart'], mappings: 'AA2CSA' }
  writeFileSync(join(folder, 'index-Dx12ab_9.js.map'), JSON.stringify(map))
  writeFileSync(join(folder, 'broken.js.map'), 'not a map')
  const trace = openSourceMaps(folder)
  const at = (file: string) => `e (https://shop.example${file}:1:20)`
  const lead = async (file: string) => writeStack(await trace(parseStack(`    at ${at(file)}`)))
  expect(await lead('/assets/index-Dx12ab_9.js')).toBe('loadCart (src/cart/useCart.ts:44:10)')
  for (const file of ['/assets/gone.js', '/assets/broken.js', '/assets/../../etc/passwd.js', '/other.js'])
    expect(await lead(file)).toBe(`e (${file}:1:20)`)
  rmSync(folder, { recursive: true })
})

test('maps at most six scripts per report, and evicts none for scripts without a map', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-maps-'))
  const map = { version: 3, sources: ['../../src/cart/useCart.ts'], names: [], mappings: 'AA2CSA' }
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const name of names) writeFileSync(join(folder, `${name}.js.map`), JSON.stringify(map))
  const trace = openSourceMaps(folder)
  const of = (scripts: string[]) =>
    scripts.map((name) => ({ name: '', file: `https://shop.example/assets/${name}.js`, line: 1, column: 20 }))
  const isLed = async (scripts: string[]) => (await trace(of(scripts))).map(({ file }) => file.startsWith('src/'))
  expect(await isLed([...names, 'a'])).toEqual([true, true, true, true, true, true, false, true])
  rmSync(folder, { recursive: true })
  for (let n = 0; n < 3; n++) await isLed(Array.from({ length: 6 }, (_, i) => `gone-${n}-${i}`))
  expect(await isLed(['a', 'f', 'g'])).toEqual([true, true, false])
})

test('assigns the same fault to one cause in every release', () => {
  const cause = (message: string, file: string, line: number) =>
    describeCause({ type: 'javascript', message, frames: [{ name: 'e', file, line, column: 1 }] })
  const one = cause('Order 17 of [id] failed', 'src/cart/useCart.ts', 44)
  expect(cause('Order 4 of [id] failed', 'src/cart/useCart.ts', 51)).toBe(one)
  expect(cause('Order 17 of [id] failed', 'src/purchases/useOrders.ts', 44)).not.toBe(one)
  expect(cause('Another message', 'src/cart/useCart.ts', 44)).not.toBe(one)
  const chunk = (hash: string) => cause(`Failed to fetch /assets/CartPage-${hash}.js`, '', 1)
  expect(chunk('Dx12ab_9')).toBe(chunk('Qq34cd-8'))
})
