import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from './faults.server.ts'
import { describeFault, factsOf, SENTENCES } from './sentences.rules.ts'

const text = globSync(['src/audit/*.views.sql', 'src/audit/audit.sql'])
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Parses the views: `SELECT 'RULE', 'code', id, jsonb_build_object('fact', ...) FROM ...`. */
const found = [...text.matchAll(/SELECT '([A-Z\d]+)'(?: AS rule)?,([^,]+),([\s\S]*?)\bFROM\b/g)].map(
  ([, rule = '', code = '', facts = '']) => ({
    rule,
    codes: [...code.matchAll(/'(\w+)'/g)].map(([, one = '']) => one),
    facts: [...facts.matchAll(/'(\w+)',/g)].map(([, one = '']) => one),
  }),
)

test('has a sentence for each code, and a code for each rule', () => {
  expect(new Set(found.flatMap(({ codes }) => codes))).toEqual(new Set(Object.keys(SENTENCES)))
  expect(new Set(found.map(({ rule }) => rule))).toEqual(new Set(RULES))
})

test.each(Object.entries(SENTENCES))('returns the facts of %s from the views', (code, sentence) => {
  const own = found.filter(({ codes }) => codes.includes(code))
  for (const { facts } of own) expect(factsOf(sentence).toSorted()).toEqual(facts.toSorted())
})

test('describes a fault even if facts are missing', () => {
  const steps = { from: null, to: 'failed', before: 'completed' }
  expect(describeFault({ code: 'wrong_step', subject: 'X', facts: steps })).toBe(
    'order X went from nothing to failed when it was completed',
  )
  const uses = { uses: 3, max: null, orders: 0 }
  expect(describeFault({ code: 'uses_unlike_orders', subject: 'X', facts: uses })).toBe(
    'code X counts 3 uses of any, and orders have 0',
  )
})
