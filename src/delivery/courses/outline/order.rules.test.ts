import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedSections, landingAt, movedBy, placedAt, sectionOf } from './order.rules.ts'

// Upper case: a section. Lower case: a lesson.
const outline = (text: string) => [...text].map((id) => ({ id, isSection: id === id.toUpperCase() }))
const textOf = (parts: { id: string }[]) => parts.map(({ id }) => id).join('')
const find = (parts: ReturnType<typeof outline>, id: string) => parts.find((part) => part.id === id)!

test.each([
  ['a lesson down', 'aBcd', 'c', 1, 'aBdc'],
  ['a lesson up into the section before', 'AbCd', 'd', -1, 'AbdC'],
  ['a lesson out of its section', 'aBc', 'a', 1, 'Bac'],
  ['a section with its lessons down', 'AbcDe', 'A', 1, 'DeAbc'],
  ['a section with its lessons up', 'AbcDe', 'D', -1, 'DeAbc'],
  ['a section before lessons without one', 'abC', 'C', -1, 'Cab'],
] as const)('the buttons move %s', (_, text, id, by, expected) => {
  const parts = outline(text)
  expect(textOf(movedBy(parts, find(parts, id), by))).toBe(expected)
})

test.each([
  ['the first lesson up', 'ab', 'a', -1],
  ['the last lesson down', 'ab', 'b', 1],
  ['the first section up', 'Abc', 'A', -1],
  ['the last section down', 'AbC', 'C', 1],
] as const)('the buttons do not move %s', (_, text, id, by) => {
  const parts = outline(text)
  expect(movedBy(parts, find(parts, id), by)).toBe(parts)
})

test.each([
  ['a lesson before another', 'abc', 'c', 'a', false, 'cab'],
  ['a lesson into a section', 'aBc', 'a', 'B', true, 'Bac'],
  ['a lesson to itself', 'abc', 'b', 'b', true, 'abc'],
  ['a section behind a lesson of another', 'AbCde', 'A', 'd', true, 'CdeAb'],
  ['a section before a lesson of another', 'AbCde', 'C', 'b', false, 'CdeAb'],
  ['a section onto its own lesson', 'AbCd', 'A', 'b', true, 'AbCd'],
  ['a section before lessons without one', 'abCdE', 'E', 'b', false, 'EabCd'],
  ['a section after lessons without one', 'aBcDe', 'D', 'a', true, 'aDeBc'],
] as const)('a pointer drags %s', (_, text, id, overId, isAfter, expected) => {
  const parts = outline(text)
  const dragged = find(parts, id)
  const place = landingAt(parts, dragged, { part: find(parts, overId), isAfter })
  expect(textOf(place ? placedAt(parts, dragged, place) : parts)).toBe(expected)
})

test('marks the whole group next to which a section lands, without lessons of a folded section', () => {
  const visible = outline('AbcDE')
  const [dragged, lesson, folded] = [find(visible, 'E'), find(visible, 'b'), find(visible, 'D')]
  expect(landingAt(visible, dragged, { part: lesson, isAfter: false })?.part.id).toBe('A')
  expect(landingAt(visible, dragged, { part: lesson, isAfter: true })?.part.id).toBe('c')
  expect(landingAt(visible, dragged, { part: folded, isAfter: true })).toEqual({ part: folded, isAfter: true })
})

test.each([
  ['a new lesson', 'aBcD', 'aBcDe', ['D']],
  ['a lesson that returns', 'AcDe', 'AbcDe', ['A']],
  ['a lesson of a deleted section', 'AbCd', 'Abd', ['A']],
  ['a section that moves', 'AbCd', 'CdAb', []],
  ['a lesson without a section', 'A', 'bA', []],
] as const)('a section shows its lessons after a change of them: %s', (_, before, after, ids) =>
  expect(changedSections(outline(before), outline(after))).toEqual(ids),
)

test('an order contains the same parts, and a section that moves has at least its former lessons', () => {
  const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(kinds, fc.nat(), fc.nat(), fc.boolean(), (isSections, from, to, isAfter) => {
      const parts = isSections.map((isSection, i) => ({ id: String(i), isSection }))
      const [dragged, part] = [parts[from % parts.length]!, parts[to % parts.length]!]
      const lessonsIn = (list: typeof parts) =>
        list.filter((one) => !one.isSection && sectionOf(list, one) === dragged).map(({ id }) => id)
      for (const next of [
        placedAt(parts, dragged, { part, isAfter }),
        movedBy(parts, dragged, 1),
        movedBy(parts, dragged, -1),
      ]) {
        expect(new Set(next)).toEqual(new Set(parts))
        expect(next).toHaveLength(parts.length)
        if (dragged.isSection) expect(lessonsIn(next)).toEqual(expect.arrayContaining(lessonsIn(parts)))
      }
    }),
  )
})
