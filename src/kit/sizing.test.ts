import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SESSIONS } from './jobs.server.ts'

test('the operator docs have the number of connections that a node opens', () => {
  const read = (page: string) => readFileSync(join(import.meta.dirname, `../../docs/operating/${page}.md`), 'utf8')
  const text = ['sizing', 'pgbouncer', 'monitoring'].map(read).join('\n')
  const named = [
    ...text.matchAll(/`DATABASE_POOL`(?: \(16\))? \+ (\d+)|keeps (\w+) connections there|\| (\d+) for each node, and/g),
  ]
  expect(named.map(([, sum, pooler, sizing]) => sum ?? pooler ?? sizing)).toEqual(Array(4).fill(String(SESSIONS)))
})
