import { expect, test } from 'vitest'
import { describeCase } from './caseWords.rules.ts'

test('describes a case of a member with its state and the page that shows it', () => {
  expect(describeCase({ kind: 'dispute', id: '7', state: 'needs_evidence' })).toEqual({
    ...{ name: 'Dispute', state: 'needs evidence', href: '/admin/orders/7' },
  })
  expect(describeCase({ kind: 'report', id: '8', state: 'open' }).href).toBe('/admin/reports/8')
  expect(describeCase({ kind: 'suspension', id: '9', state: 'lifted' })).toEqual({
    ...{ name: 'Suspended', state: 'lifted', href: '#selling' },
  })
})
