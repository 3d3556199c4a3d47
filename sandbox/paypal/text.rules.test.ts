import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberText } from './text.rules.ts'

test.each<[string, string | undefined]>([
  ['{"event":{"a":[1,{"b":2}]},"x":1}', '{"a":[1,{"b":2}]}'],
  ['{"x":{"event":1},"event" : "a,}\\"]" }', '"a,}\\"]"'],
  ['{"x":"\\"event\\":3","event":25.00}', '25.00'],
  ['{"x":[],"event":null}', 'null'],
  ['{"x":"\\\\","\\u0065vent":true}', 'true'],
  ['{ "event" :\n [ 1 , 2 ] }', '[ 1 , 2 ]'],
  ['{"events":1}', undefined],
  ['{}', undefined],
])('%s holds %s as its event', (json, text) => expect(memberText(json, 'event')).toBe(text))

test('a member is found byte for byte wherever it stands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (value, others, space) => {
      const { event: _, ...rest } = others
      const text = JSON.stringify(value, null, space)
      const before = JSON.stringify(rest, null, space).slice(0, -1)
      const json = `${before}${Object.keys(rest).length > 0 ? ',' : ''}"event":${text},"after":1}`
      expect(memberText(json, 'event')).toBe(text)
    }),
  )
})
