import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../kit/contract.ts'

// Every text field of every contract removes or rejects hidden characters, or RAW gives the reason why not.

const ROOT = join(import.meta.dirname, '..')
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'line' in value && 'input' in value

type Def = { type: string } & Partial<
  Record<'innerType' | 'element' | 'in' | 'left' | 'right' | 'valueType', z.ZodMiniType>
> & {
    shape?: Record<string, z.ZodMiniType>
    options?: z.ZodMiniType[]
    getter?: () => z.ZodMiniType
  }

function textsOf(schema: z.ZodMiniType, path: string): [path: string, schema: z.ZodMiniType][] {
  const def = schema._zod.def as unknown as Def
  if (def.type === 'string') return [[path, schema]]
  const inner = [
    def.innerType,
    def.element,
    def.in,
    def.left,
    def.right,
    def.valueType,
    def.getter?.(),
    ...(def.options ?? []),
  ]
  return [
    ...inner.flatMap((one) => (one ? textsOf(one, path) : [])),
    ...Object.entries(def.shape ?? {}).flatMap(([key, one]) => textsOf(one, `${path}.${key}`)),
  ]
}

const HIDDEN = 'Ad\u202Ea\u2800'
const isUntidy = (schema: z.ZodMiniType) => {
  const { data } = z.safeParse(schema, HIDDEN)
  return typeof data === 'string' && /[\u202E\u2800]/.test(data)
}

/** Fields, by name, that no other person reads or that must stay unchanged. */
const RAW: Record<string, RegExp> = {
  'a search, a cursor or a filter of the caller': /\.(?:q|after|before|place|cursor|question)$/,
  'a secret, compared as it is':
    /\.(?:password|newPassword|currentPassword|token|secret|proof|code|mailedCode|key|recoveryCode)$/,
  'what a browser reports, scrubbed before staff read it': /^POST \/api\/(?:errors|ai\/)/,
  'a raw mail; `mailIn.server.ts` tidies it': /^POST \/api\/chat\/mail\./,
  'a file name, which `uploads` tidies, with its type and its metadata': /^POST \/companion\//,
  'a setting that is tested and not stored': /\/usdc\/check\./,
  'an address, an id or a name of the shop, looked up':
    /\.(?:\w*(?:URL|Url|Id|Ref)|id|ref|url|returnTo|\w*[mM]ethod|provider|discount|txHash|price|endpoint)$|email\.email$|refund-address\.address$/,
}

test('removes or rejects hidden characters in every text of a contract', async () => {
  const untidy = new Set<string>()
  let count = 0
  for (const file of globSync('**/*.contract.ts', { cwd: ROOT }).toSorted())
    for (const value of Object.values((await import(join(ROOT, file))) as Record<string, unknown>)) {
      if (!isEndpoint(value) || value.line.startsWith('GET ')) continue
      for (const [path, schema] of textsOf(value.input, value.line)) {
        count++
        if (isUntidy(schema) && !Object.values(RAW).some((name) => name.test(path))) untidy.add(path)
      }
    }
  expect(count).toBeGreaterThan(150)
  expect([...untidy].toSorted()).toEqual([])
})
