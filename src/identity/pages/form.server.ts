import { checkValue } from '../../kit/serve/body.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Page } from '../../kit/handle.server.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A missing field is ''. Throws a Failure: 415 for another content type, 400 for an unknown or repeated field. */
export function readForm<Name extends string>(
  { header, body }: Pick<Page, 'header' | 'body'>,
  names: readonly Name[],
): Record<Name, string> {
  const type = (header('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') throw new Failure(415, 'This content type is not accepted.')
  const form = Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(textOf(body))) {
    if (!isOneOf(names, name) || seen.has(name)) throw new Failure(400, 'The form holds a field that it does not have.')
    checkValue(value)
    seen.add(name)
    form[name] = value
  }
  return form
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

function textOf(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Failure(400, 'The form is not valid UTF-8.')
  }
}
