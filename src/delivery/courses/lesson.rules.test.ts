import { expect, test } from 'vitest'
import { problemsOf, readPart, type TypedPart, typedOf } from './lesson.rules.ts'
import type { EditedLesson } from './outline.contract.ts'

const typed: TypedPart = { title: 'Scales', text: '', opening: 'now', day: '', days: '7', isPreview: false }

test.each<[Partial<TypedPart>, object]>([
  [{}, {}],
  [{ title: ' ' }, { title: 'Give it a title.' }],
  [{ opening: 'day' }, { day: 'Choose a day.' }],
  [{ opening: 'days', days: '0' }, { days: 'From 1 to 3,650 days.' }],
  [{ opening: 'days', days: '1.5' }, { days: 'From 1 to 3,650 days.' }],
  [{ opening: 'days', days: '3650' }, {}],
  [{ opening: 'now', days: 'many' }, {}],
])('finds the problems of %j', (change, problems) => {
  expect(problemsOf({ ...typed, ...change })).toEqual(problems)
})

test.each([
  { opensOn: null, opensAfterDays: null },
  { opensOn: '2026-12-01', opensAfterDays: null },
  { opensOn: null, opensAfterDays: 14 },
])('saves an unedited lesson as it is: %j', (opening) => {
  const saved = { title: 'Scales', text: 'Slowly.', isPreview: true, ...opening }
  expect(readPart(typedOf(saved as EditedLesson))).toEqual(saved)
})
