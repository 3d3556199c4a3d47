import { expect, test } from 'vitest'
import { breaksOf } from './runs.rules.ts'

const partsOf = (text: string) => {
  const places = [0, ...breaksOf(text)]
  return places.slice(1).map((place, i) => text.slice(places[i], place))
}

test.each([
  ['Main Street 1', ['Main ', 'Street ', '1']],
  ['東京「都」。', ['東', '京', '「都」。']],
  ['ถนนกรุงเทพ', ['ถนน', 'กรุงเทพ']],
  ['', []],
])('breaks %j into unbreakable parts', (text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})
