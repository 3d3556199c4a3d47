import { z } from 'zod'
import { Refusal } from './refusal.server.ts'
import { firstOf, lastOf, required } from '../../src/kit/values/required.ts'

// Parses bodies and queries in Stripe's format: `line_items[0][price_data][unit_amount]=1000`.

type Tree = { [key: string]: Tree | string }

const MAX_FIELDS = 2000
const MAX_LEVELS = 8

/** Reads bracket keys into nested objects; an object with the keys 0 to n becomes an array. */
export function readBrackets(given: URLSearchParams): unknown {
  const root: Tree = Object.create(null) as Tree
  let count = 0
  for (const [name, value] of given) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([key]) => key)
    const isTooLarge = ++count > MAX_FIELDS || path.length > MAX_LEVELS
    if (path.length === 0 || isTooLarge || value.includes('\0'))
      throw new Refusal(400, { message: `Invalid request: ${name.slice(0, 40)}` })
    let node = root
    for (const key of path.slice(0, -1)) {
      const next = node[key] ?? (Object.create(null) as Tree)
      if (typeof next === 'string') throw new Refusal(400, { message: `Invalid object: ${key}`, param: key })
      node[key] = next
      node = next
    }
    node[lastOf(path)] = value
  }
  return unfold(root)
}

function unfold(node: Tree | string): unknown {
  if (typeof node === 'string') return node
  const keys = Object.keys(node)
  if (keys.length > 0 && keys.every((key, i) => key === String(i)))
    return keys.map((key) => unfold(required(node[key], 'an entry of node')))
  return Object.fromEntries(keys.map((key) => [key, unfold(required(node[key], 'an entry of node'))]))
}

export function readForm<T extends z.ZodType>(form: T, given: unknown): z.output<T> {
  const read = form.safeParse(given, { reportInput: true })
  if (read.success) return read.data
  const { path, code, input, ...issue } = firstOf(read.error.issues)
  const name = ([first, ...rest]: PropertyKey[]) => String(first ?? '') + rest.map((key) => `[${String(key)}]`).join('')
  if (code === 'unrecognized_keys') {
    const param = name([...path, firstOf((issue as { keys: string[] }).keys)])
    throw new Refusal(400, { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
  }
  const param = name(path)
  throw input === undefined
    ? new Refusal(400, { code: 'parameter_missing', param, message: `Missing required param: ${param}.` })
    : new Refusal(400, { param, message: `Invalid ${param}: ${issue.message}` })
}

export const whole = (least: number, most = 99_999_999) => z.coerce.number().int().min(least).max(most)

/** A file in a multipart form. */
export const SentFile = z.object({ name: z.string().min(1).max(255), type: z.string(), size: whole(1) })

/** Parses a body in either format. A file becomes its name, type and size. */
export async function readPost(body: Buffer, type = ''): Promise<unknown> {
  if (!type.startsWith('multipart/form-data')) return readBrackets(new URLSearchParams(body.toString('utf8')))
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  if (!form) throw new Refusal(400, { message: 'Invalid multipart form.' })
  const parts = [...form].map(([name, value]): [string, unknown] =>
    value instanceof File ? [name, { name: value.name, type: value.type, size: value.size }] : [name, value],
  )
  return Object.fromEntries(parts)
}

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const Metadata = z.record(z.string().max(40), z.string().max(500)).default({})
export const Expand = z.array(z.string().max(100)).max(20).default([])
/** Unix time in seconds. */
export const instant = whole(0, 10_000_000_000)
export const Range = z
  .strictObject({ gte: instant.optional(), gt: instant.optional(), lt: instant.optional(), lte: instant.optional() })
  .optional()
