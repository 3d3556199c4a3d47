import { expect, test } from 'vitest'
import { actOf, hasPage } from './act.rules.ts'
import { groupByBundle } from './groups.rules.ts'

test.each([
  ['file', 'salt.epub', 'Read'],
  ['file', 'salt.PDF', 'Read'],
  ['file', 'rain.mp3', 'Listen'],
  ['file', 'walk.mp4', 'Watch'],
  ['file', 'loops.zip', 'Download'],
  ['file', undefined, 'Download'],
  ['license', 'grid.zip', 'Show key'],
  ['license', undefined, 'Show key'],
  ['course', undefined, 'Open course'],
  ['code', undefined, 'Show code'],
] as const)('the main action of a %s with the file %s is %s', (kind, fileName, act) => {
  expect(actOf(kind, fileName)).toBe(act)
})

test('only actions that read, play or learn open a page', () => {
  expect((['Read', 'Listen', 'Watch', 'Open course'] as const).every(hasPage)).toBe(true)
  expect((['Show code', 'Show key', 'Download'] as const).some(hasPage)).toBe(false)
})

const evenings = { id: 'e', title: 'Quiet Evenings' }
const studio = { id: 's', title: 'Home Studio' }
const line = (id: string, bundle: typeof evenings | null = null) => ({ id, bundle })

test('each bundle is one group in the order of its first part, and goods bought alone come last', () => {
  const groups = groupByBundle([
    line('alone'),
    line('e1', evenings),
    line('s1', studio),
    line('e2', evenings),
    line('also alone'),
  ])
  expect(groups.map(({ bundle, lines }) => [bundle?.title ?? null, lines.map(({ id }) => id)])).toEqual([
    ['Quiet Evenings', ['e1', 'e2']],
    ['Home Studio', ['s1']],
    [null, ['alone', 'also alone']],
  ])
})

test('goods without a bundle are one group, and no goods are no group', () => {
  expect(groupByBundle([line('a'), line('b')])).toEqual([{ bundle: null, lines: [line('a'), line('b')] }])
  expect(groupByBundle([])).toEqual([])
})
