import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { endingOf, makeKey, maskKey, prefixOf, RANDOM_LENGTH, readKey } from './key.rules.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const prefixes = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 2, maxLength: 8 })
const randoms = fc.uint8Array({ minLength: RANDOM_LENGTH, maxLength: RANDOM_LENGTH })
const keys = fc.tuple(prefixes, randoms).map(([prefix, random]) => makeKey(prefix, random))

test('creates keys of a prefix and four groups of eight', () => {
  fc.assert(
    fc.property(prefixes, randoms, (prefix, random) => {
      const key = makeKey(prefix, random)
      expect(key).toMatch(/^[A-Z]{2,8}(-[0-9A-HJKMNP-TV-Z]{8}){4}$/)
      expect(key.startsWith(`${prefix}-`)).toBe(true)
      expect(readKey(key)).toBe(key)
    }),
  )
})

test('parses a key in lower case, without hyphens, with spaces, and with O for 0 or I and L for 1', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const [prefix, ...groups] = key.split('-') as [string, ...string[]]
      expect(readKey(key.toLowerCase())).toBe(key)
      expect(readKey(`  ${key.replaceAll('-', ' ')} `)).toBe(key)
      expect(readKey(key.replaceAll('-', ''))).toBe(key)
      expect(readKey(key.replaceAll('-', '\u2013'))).toBe(key)
      for (const one of 'IL')
        expect(
          readKey([prefix, ...groups.map((group) => group.replaceAll('0', 'o').replaceAll('1', one))].join('-')),
        ).toBe(key)
    }),
  )
})

test('detects every single wrong character', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const at = key.indexOf('-')
      for (const [i, right] of [...key].entries()) {
        if (right === '-') continue
        for (const wrong of i < at ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : ALPHABET)
          if (wrong !== right)
            expect(readKey(key.slice(0, i) + wrong + key.slice(i + 1)), `${key} ${i} ${wrong}`).toBeNull()
      }
    }),
    { numRuns: 5 },
  )
})

test('detects two swapped neighbours in the prefix or in the groups', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const [prefix, body] = [key.slice(0, key.indexOf('-')), key.slice(key.indexOf('-')).replaceAll('-', '')]
      const swap = (text: string, i: number) => text.slice(0, i) + text[i + 1] + text[i] + text.slice(i + 2)
      for (let i = 0; i + 1 < prefix.length; i++)
        if (prefix[i] !== prefix[i + 1]) expect(readKey(swap(prefix, i) + body)).toBeNull()
      for (let i = 0; i + 1 < body.length; i++)
        if (body[i] !== body[i + 1]) expect(readKey(prefix + swap(body, i))).toBeNull()
    }),
  )
})

test('rejects any other text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => readKey(text) === null))
  const key = makeKey('GRID', new Uint8Array(RANDOM_LENGTH).fill(7))
  for (const text of [
    '',
    '-',
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}-0`,
    `X${key}`,
    key.replace('GRID', 'G'),
  ])
    expect(readKey(text), text).toBeNull()
})

test('shows the prefix and the last four characters of a key', () => {
  const key = makeKey('GRID', new Uint8Array(RANDOM_LENGTH).fill(7))
  const masked = maskKey({ prefix: 'GRID', ending: endingOf(key) })
  expect(masked).toBe(`GRID-••••••••-••••••••-••••••••-••••${key.slice(-4)}`)
  expect(masked).toHaveLength(key.length)
})

test.each([
  ['Grid Notes', 'GRID'],
  ['7 B', 'KEY'],
  ['Ø', 'KEY'],
  ['a1b', 'AB'],
])('makes a prefix for %s', (title, prefix) => expect(prefixOf(title)).toBe(prefix))
