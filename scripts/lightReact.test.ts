import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leaveOut } from './lightReact.ts'

/** Imports of React and elements that the build has no code for. */
const LEFT_OUT = [
  /import \{[^}]*\b(Suspense|SuspenseList|lazy|ViewTransition|Activity)\b[^}]*\} from 'react'/,
  /<(meta|link|style|script|html|head|body)\b/,
  /^(?![\s\S]*<svg)[\s\S]*<title\b/,
]

test('the shop draws no kind of element that the build leaves out of React', () => {
  const files = globSync('src/*/**/*.tsx').filter((file) => !file.includes('.test.'))
  const isLeftOut = (file: string) => LEFT_OUT.some((use) => use.test(readFileSync(file, 'utf8')))
  expect(files.filter(isLeftOut)).toEqual([])
  expect(LEFT_OUT.every((use) => use.test(`import { lazy } from 'react'\n<link /><title>a</title>`))).toBe(true)
})

const CODE = `
function draw(it) {
  const done = []
  if (it.tag === 13 || 5 === it.tag) done.push('own')
  if (it.tag !== 13 && it.mode !== 13) done.push('other')
  switch (it.tag) {
    case 22:
      var kept = 'shared'
      done.push('hidden')
    case 5:
      kept = 'five'
      done.push(kept)
      break
    case 13:
      return 'suspended'
    case 1:
      done.push('one')
    case 19:
      done.push('after one')
      break
    case 30:
    case 6:
      done.push('six')
      break
    default:
      done.push('any')
  }
  return done.join()
}`
const read = (code: string) => new Function(`'use strict'; ${code}; return draw`)() as (it: { tag: number }) => string

test('takes the code for some kinds out and leaves that of the others as it was', () => {
  const light = leaveOut(CODE, new Set([13, 19, 22, 30]))
  for (const tag of [0, 1, 5, 6]) expect(read(light)({ tag })).toBe(read(CODE)({ tag }))
  expect(read(light)({ tag: 22 })).toBe('other')
  for (const gone of ['suspended', 'hidden', 'case 13', 'case 19', 'case 30', '=== 13'])
    expect(light).not.toContain(gone)
})
