import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { describeSettings, SETTINGS_PAGE } from '../scripts/settings.ts'
import { readConfig, SETTINGS } from '../src/app/settings.server.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const example = read('.env.example')

test('.env.example lists every setting and no other', () => {
  expect(Object.keys(parseEnv(example)).sort()).toEqual(Object.keys(SETTINGS).sort())
})

test('.env.example shows the defaults', () => {
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}))
})

test('docs/settings.md is up to date with the schemas and .env.example (written by `npm run settings`)', async () => {
  expect(readFileSync(SETTINGS_PAGE, 'utf8')).toBe(await describeSettings(example))
})

test('compose.yaml passes every setting that the image does not fix', () => {
  const service = /\n {4}environment:\n(.*?)\n {4}\w/s.exec(read('compose.yaml'))![1]!
  const passed = [...service.matchAll(/^ {6}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
  const fixed = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']
  expect([...passed, ...fixed].sort()).toEqual(Object.keys(parseEnv(example)).sort())
})

test.each(['compose.yaml', 'deploy/compose.yaml'])('%s passes on every setting that it does not set', (path) => {
  const [services] = read(path).split('\n  database:\n    image:')
  const passed = new Set([...services!.matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!))
  const fixed = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR']
  expect(Object.keys(SETTINGS).filter((name) => !passed.has(name) && !fixed.includes(name))).toEqual([])
  // the text after :? must explain a missing setting
  expect(read(path)).not.toMatch(/:\?\}/)
})

const namesIn = (text: string, indent: number) =>
  [...text.matchAll(new RegExp(`^ {${indent}}([A-Z][A-Z0-9_]+): `, 'gm'))].map(([, name]) => name!)

test('deploy/ contains no unknown setting', () => {
  const compose = read('deploy/compose.yaml')
  const [shop, database] = compose.split('\n  database:\n    image:')
  const named = {
    compose: [...namesIn(shop!, 4), ...namesIn(shop!, 6)],
    kubernetes: ['settings', 'secret.example'].flatMap((name) => namesIn(read(`deploy/kubernetes/${name}.yaml`), 2)),
  }
  expect(named.compose).toContain('S3_BUCKET')
  expect(named.kubernetes).toContain('S3_BUCKET')
  expect(
    Object.values(named)
      .flat()
      .filter((name) => !(name in SETTINGS)),
  ).toEqual([])
  expect(namesIn(database!, 6)).toEqual(['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'])
})

test('deploy/compose.yaml has the nodes of the nginx file, and an nginx that can resolve them again', () => {
  const compose = read('deploy/compose.yaml')
  const [, services] = /\nservices:\n(.*?)\n\w/s.exec(compose)!
  expect([...services!.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)).toEqual([
    ...['node1', 'node2', 'migrate', 'proxy', 'database'],
  ])
  const asked = new Set(read('deploy/nginx.compose.sh').match(/node\d/g))
  expect([...asked]).toEqual(['node1', 'node2'])
  const imagesOf = (text: string) => [...text.matchAll(/^ +image: (\S+)/gm)].map(([, image]) => image!)
  const [own, proxy, database] = imagesOf(compose)
  expect([own, database]).toEqual(['primo', imagesOf(read('compose.yaml'))[0]])
  // nginx resolves the names of upstreams again since 1.27.3
  expect(Number(/^nginx:1\.(\d+)/.exec(proxy!)![1])).toBeGreaterThanOrEqual(28)
})
