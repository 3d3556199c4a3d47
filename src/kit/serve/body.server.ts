import { Failure } from '../failure.ts'

const DEEPEST = 24
// RFC 8259 forbids a byte order mark, so `ignoreBOM` makes it an error
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a request body. Throws a 400 Failure; an empty body is `{}`. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Failure(400, 'The body is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null) throw new Failure(400, 'The body must be a JSON object.')
  checkValue(value)
  return value
}

/** Throws a 400 Failure for NUL, lone surrogates, prototype keys and a depth over 24. */
export function checkValue(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw new Failure(400, 'Text holds characters that cannot be stored.')
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= DEEPEST) throw new Failure(400, 'The body is nested too deeply.')
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw new Failure(400, 'The body holds a key that is not allowed.')
    checkValue(key, depth + 1)
    checkValue(inner, depth + 1)
  }
}
