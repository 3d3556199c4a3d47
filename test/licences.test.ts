import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

type Package = { version: string; license?: string; dev?: boolean; link?: boolean; integrity?: string }

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Package> }
const packages = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'))
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Licences that ask for a notice at most, for everything that the shop ships. */
const FREE = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Unlicense', 'BlueOak-1.0.0']
/** Changes of such a package itself would have to be published; the shop changes none. Tools may be under it. */
const TOOLS = [...FREE, 'MPL-2.0', 'CC0-1.0', 'Zlib']

/** Each was read; the reason stands beside it. */
const EXCEPTIONS: [RegExp, string | undefined][] = [
  // a library of its own that is loaded at run time and can be replaced
  [/^@img\/sharp-/, 'LGPL-3.0-or-later'],
  [/^@img\/sharp-/, 'Apache-2.0 AND LGPL-3.0-or-later'],
  [/^@img\/sharp-/, 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
  // used as it is
  [/^web-push$/, 'MPL-2.0'],
  // as free as BSD
  [/^argparse$/, 'Python-2.0'],
  // MIT by their own files; the packages name none
  [/^(png-js|combine-errors)$/, undefined],
  // the SIL licence allows documents to embed these fonts
  [/^@expo-google-fonts\//, 'MIT AND OFL-1.1'],
  // as free as MIT
  [/^graceful-fs$/, 'BlueOak-1.0.0'],
]

function isAllowed([path, { license, dev }]: [string, Package]): boolean {
  const allowed = dev ? TOOLS : FREE
  if (EXCEPTIONS.some(([name, excepted]) => name.test(nameOf(path)) && license === excepted)) return true
  // of "A OR B" one suffices, of "A AND B" all count
  const choices = (license ?? '').replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)))
}

test('every package has a licence that a company can ship', () => {
  expect(packages.length).toBeGreaterThan(300)
  const refused = packages.filter((one) => !isAllowed(one)).map(([path, { license }]) => `${path}: ${license}`)
  expect(refused).toEqual([])
  const needed = EXCEPTIONS.filter(([name, licence]) =>
    packages.some(([path, { license }]) => name.test(nameOf(path)) && license === licence),
  )
  expect(needed.length).toBe(EXCEPTIONS.length)
})

test('every shipped package is pinned by its hash, and the list of shipped packages names them', () => {
  const loose = packages.filter(([, { integrity, link, dev }]) => !integrity && !link && !dev).map(([path]) => path)
  expect(loose).toEqual([])
  const made = execFileSync('npm', ['run', '-s', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16 * 1024 * 1024,
  })
  const { bomFormat, components } = JSON.parse(made) as {
    bomFormat: string
    components: { name: string; version: string }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const { name, version } = components.find((one) => one.name === 'fastify')!
  expect(version).toBe(lock.packages[`node_modules/${name}`]!.version)
  expect(components.some((one) => one.name === 'vitest')).toBe(false)
})
