import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, SETTINGS } from '../src/app/settings.server.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const example = read('.env.example')

test('.env.example lists every setting and no other', () => {
  expect(Object.keys(parseEnv(example)).sort()).toEqual(Object.keys(SETTINGS).sort())
})

test('.env.example shows the defaults', () => {
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}))
})

test('compose.yaml passes every setting that the image does not fix', () => {
  const service = /\n {4}environment:\n(.*?)\n {4}\w/s.exec(read('compose.yaml'))![1]!
  const passed = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  const fixed = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']
  expect([...passed, ...fixed].sort()).toEqual(Object.keys(parseEnv(example)).sort())
})
