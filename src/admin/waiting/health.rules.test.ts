import { expect, test } from 'vitest'
import { badgeOf } from './health.rules.ts'

test.each([
  [0, 0, 'All well'],
  [0, undefined, undefined],
  [undefined, 0, undefined],
  [1, 0, '1 part needs attention'],
  [2, undefined, '2 parts need attention'],
  [0, 1, '1 ledger rule broken'],
  [undefined, 3, '3 ledger rules broken'],
  [2, 3, '3 ledger rules broken'],
])(
  'with %s troubled parts and %s broken ledger rules, the badge of the health panel is %j',
  (parts, breaches, text) => {
    expect(badgeOf(parts, breaches)?.text).toBe(text)
  },
)
