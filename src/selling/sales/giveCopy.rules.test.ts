import { expect, test } from 'vitest'
import { copyCode, copyTerms } from './giveCopy.rules.ts'

test('a copy is one use of a code for one product, for 30 days', () => {
  const id = '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f'
  const code = copyCode(new Uint32Array([0, 1, 31, 32, 4_294_967_295, 5, 6, 7, 8, 9]))
  expect(copyTerms(id, code, Date.parse('2026-11-01T00:00:00Z'))).toMatchObject({
    ...{ code: 'COPYAB9A9FGHJK', percent: 100, productIds: [id], mostUses: 1, mostPerBuyer: 1 },
    endsAt: '2026-12-01T00:00:00.000Z',
  })
})
