import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from '../src/kit/config.server.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const example = read('.env.example')

test('.env.example lists every setting there is, and no other', () => {
  const schema = /z\.object\(\{(.*?)\n\}\)/s.exec(read('src/kit/config.server.ts'))![1]!
  const settings = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  expect(settings.length).toBeGreaterThan(10)
  expect(Object.keys(parseEnv(example)).sort()).toEqual(settings.sort())
})

test('.env.example as it stands changes nothing', () => {
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}))
})

test('compose.yaml passes on every setting that the image does not fix', () => {
  const service = /\n {4}environment:\n(.*?)\n {4}\w/s.exec(read('compose.yaml'))![1]!
  const passed = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  const fixed = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']
  expect([...passed, ...fixed].sort()).toEqual(Object.keys(parseEnv(example)).sort())
})
