import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { toBrowserModule } from './browserContracts.ts'

const ROOT = join(import.meta.dirname, '..')

test('a browser contract exports the calls and constants, but no copy of a schema', async () => {
  const file = join(ROOT, 'src/cart/cart.contract.ts')
  const lines = (await toBrowserModule(file)).split('\n')
  expect(lines).toContain('export const getCart = { line: "GET /api/cart" }')
  expect(lines).toContain('export const MAX_QUANTITY = 9999')
  expect(lines).toContain(`export { CartItem } from "${file}?source"`)
  expect(await toBrowserModule(join(ROOT, 'src/selling/balance/balance.contract.ts'))).toContain(
    String.raw`export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/`,
  )
})

/** The values that browser files import, by contract. */
const imports = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !/\.(server|test|test\.help|contract)\.tsx?$/.test(file))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^import \{([^}]*)\} from '([^']*\.contract\.ts)'/gm)].flatMap(
      ([, names = '', from = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => ({ file, name: name.split(' as ')[0]!, contract: join(ROOT, dirname(file), from) })),
    ),
  )

test('only product forms load contract schemas, and so the schema library, in the browser', async () => {
  expect(imports.length).toBeGreaterThan(300)
  const sources = new Map<string, string>()
  for (const contract of new Set(imports.map((one) => one.contract)))
    sources.set(contract, await toBrowserModule(contract))
  const fromSource = imports.filter(({ name, contract }) => sources.get(contract)!.includes(`export { ${name} } from`))
  expect(fromSource.map(({ file, name }) => `${file}: ${name}`).sort()).toEqual([
    'src/catalogue/add-product/addProduct.rules.ts: NewProduct',
    'src/selling/csv/rows.rules.ts: AskedProduct',
  ])
})
