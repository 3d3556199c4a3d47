import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST, isIn, SHARED } from './chunks.ts'

const ROOT = join(import.meta.dirname, '..')
const modules = globSync(
  '{src/**/*.{ts,tsx},node_modules/{@tanstack/*/build/modern/*.js,lucide-react/**/icons/*.mjs,react-hook-form/dist/*.mjs}}',
  {
    cwd: ROOT,
  },
).map((file) => `/shop/${file.replaceAll('\\', '/')}`)

test('a module belongs to a chunk if its path matches and is not excepted', () => {
  const chunk = { name: 'a', paths: ['src/ui/', 'icons/heart.'], except: ['Dialog'] }
  expect(isIn(chunk, '/shop/src/ui/Button.tsx')).toBe(true)
  expect(isIn(chunk, '/shop/node_modules/lucide-react/icons/heart.mjs')).toBe(true)
  expect(isIn(chunk, '/shop/src/ui/Dialog.tsx')).toBe(false)
  expect(isIn(chunk, '/shop/src/cart/Cart.tsx')).toBe(false)
})

test.each([FIRST, ...SHARED])('each path of the chunk $name matches a module', (chunk) => {
  const isUsed = (path: string) => modules.some((id) => id.includes(path))
  expect([...chunk.paths, ...(chunk.except ?? [])].filter((path) => !isUsed(path))).toEqual([])
})
