import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SESSIONS } from './jobs.server.ts'

test('the operator’s guide names the connections that a node opens', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const named = [
    ...text.matchAll(/`DATABASE_POOL`(?: \(16\))? \+ (\d+)|keeps (\w+) connections there|\| (\d+) for each node, and/g),
  ]
  expect(named.map(([, sum, pooler, sizing]) => sum ?? pooler ?? sizing)).toEqual(Array(4).fill(String(SESSIONS)))
})
