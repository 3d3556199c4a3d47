import { expect, test } from 'vitest'
import { checkCost } from './cost.check.server.ts'

const provider = (mode: 'live' | 'sandbox', cost?: { basisPoints: number; fixedCents: number }) => ({
  ...{ label: 'Pay', mode },
  ...(cost && { cost }),
})
const COST = { basisPoints: 349, fixedCents: 49 }

test.each([
  ['lower than the cost', [provider('live', COST)], 500, 0, 'warn'],
  ['as high as the cost', [provider('live', COST)], 500, 34, null],
  ['lower, in a sandbox', [provider('sandbox', COST)], 500, 0, null],
  ['lower, of one provider of two', [provider('live'), provider('live', COST)], 100, 0, 'warn'],
  ['unknown', [provider('live')], 0, 0, null],
] as const)('compares the shop’s fee with the provider’s: %s', (_, providers, basisPoints, fixedCents, grade) => {
  const finding = checkCost([...providers], { fee: { basisPoints, fixedCents } })
  expect(finding?.grade ?? null).toBe(grade)
  if (finding) expect(finding.says).toContain('takes about $0.84')
})
