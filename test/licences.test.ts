import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

type Package = { version: string; license?: string; dev?: boolean; link?: boolean; integrity?: string }

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Package> }
const packages = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'))
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Licences of shipped packages: they require at most a notice. */
const FREE = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Unlicense', 'BlueOak-1.0.0']
/** Licences of development tools. MPL-2.0 would require publishing changes of the package; the shop makes none. */
const TOOLS = [...FREE, 'MPL-2.0', 'CC0-1.0', 'Zlib']

/** Packages whose licence was read and accepted, each with the reason. */
const EXCEPTIONS: [RegExp, string | undefined][] = [
  // a separate library that is loaded at run time and can be replaced
  [/^@img\/sharp-/, 'LGPL-3.0-or-later'],
  [/^@img\/sharp-/, 'Apache-2.0 AND LGPL-3.0-or-later'],
  [/^@img\/sharp-/, 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
  // unchanged
  [/^web-push$/, 'MPL-2.0'],
  // as permissive as BSD
  [/^argparse$/, 'Python-2.0'],
  // MIT according to their files; the packages declare none
  [/^(png-js|combine-errors)$/, undefined],
  // the SIL licence allows documents to embed these fonts
  [/^@expo-google-fonts\//, 'MIT AND OFL-1.1'],
  // as permissive as MIT
  [/^graceful-fs$/, 'BlueOak-1.0.0'],
]

function isAllowed([path, { license, dev }]: [string, Package]): boolean {
  const allowed = dev ? TOOLS : FREE
  if (EXCEPTIONS.some(([name, excepted]) => name.test(nameOf(path)) && license === excepted)) return true
  // "A OR B" needs one allowed licence, "A AND B" needs both
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
