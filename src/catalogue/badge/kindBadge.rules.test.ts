import { expect, test } from 'vitest'
import type { BundlePart } from '../catalogue.contract.ts'
import type { KindName } from '../kinds.rules.ts'
import { describeKind, type KindFacts } from './kindBadge.rules.ts'

const part: BundlePart = { id: '7', title: 'A', price: '1.00', categoryId: 'ebooks', imageUrl: null, kind: 'file' }
const lessons = { count: 3, free: null, later: [] }

test.each<[KindName, KindFacts, string]>([
  ['file', {}, 'Digital Download'],
  ['code', {}, 'Digital code'],
  ['license', {}, 'Licence key'],
  ['license', { devices: null }, 'Licence key'],
  ['license', { devices: 1 }, 'Licence key, 1 device'],
  ['license', { devices: 3 }, 'Licence key, 3 devices'],
  ['course', {}, 'Course'],
  ['course', { lessons }, 'Course, 3 lessons'],
  ['course', { lessons: { ...lessons, count: 1 } }, 'Course, 1 lesson'],
  ['bundle', {}, 'Bundle'],
  ['bundle', { parts: [part, part] }, 'Bundle of 2'],
])('the badge of a %s with %o is %s', (kind, facts, text) => {
  expect(describeKind(kind, facts)).toBe(text)
})
