import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withoutGaps } from './gaps.rules.ts'
import { oneLine, tidyText, withoutHidden } from './text.rules.ts'

const code = (...points: number[]) => String.fromCodePoint(...points)
const ZWJ = code(0x200d)
const ZWNJ = code(0x200c)
const england = code(0x1f3f4, 0xe0067, 0xe0062, 0xe0065, 0xe006e, 0xe0067, 0xe007f)

test.each([
  ['a file that seems to be a picture', `photo${code(0x202e)}gpj.exe`, 'photogpj.exe'],
  ['an embedding and its end', `${code(0x202a)}a${code(0x202b)}b${code(0x202c)}${code(0x202d)}`, 'ab'],
  ['isolates', `${code(0x2066)}a${code(0x2067)}b${code(0x2068)}c${code(0x2069)}`, 'abc'],
  ['marks of direction', `a${code(0x200e)}b${code(0x200f)}c${code(0x061c)}`, 'abc'],
  ['spaces of no width', `Ad${code(0x200b)}mi${code(0x2060)}n${code(0xfeff)}`, 'Admin'],
  ['a hyphen that is not shown', `Ad${code(0xad)}min`, 'Admin'],
  ['joiners between Latin letters', `A${ZWJ}d${ZWNJ}min`, 'Admin'],
  ['a joiner at the ends', `${ZWJ}Admin${ZWJ}`, 'Admin'],
  ['joiners in a row', `a${ZWJ.repeat(50)}b`, 'ab'],
  ['hidden tags', `Hi${code(0xe0041, 0xe0042, 0xe007f)} there`, 'Hi there'],
  ['letters that are blank', `a${code(0x3164)}b${code(0xffa0)}`, 'ab'],
  ['a blank of Braille', `Night Trains${code(0x2800)}`, 'Night Trains'],
  ['selectors that vary nothing', `Ad${code(0xfe0f)}a${code(0xfe00)}${code(0xe0100)} 1${code(0xfe0f)}`, 'Ada 1'],
  ['a key', `1${code(0xfe0f, 0x20e3)}`, `1${code(0xfe0f, 0x20e3)}`],
  ['a variant of a Chinese letter', `葛${code(0xe0100)}城`, `葛${code(0xe0100)}城`],
  ['a family', `👩${ZWJ}👩${ZWJ}👧${ZWJ}👦`, `👩${ZWJ}👩${ZWJ}👧${ZWJ}👦`],
  ['an astronaut with a tone of skin', `👩🏽${ZWJ}🚀`, `👩🏽${ZWJ}🚀`],
  ['a heart on fire', `❤️${ZWJ}🔥 and 🏳️${ZWJ}🌈`, `❤️${ZWJ}🔥 and 🏳️${ZWJ}🌈`],
  ['the flag of England', `Go ${england}!`, `Go ${england}!`],
  ['a joiner between an emoji and a letter', `🚀${ZWJ}a`, '🚀a'],
  ['Persian, written with a non-joiner', `می${ZWNJ}خواهم`, `می${ZWNJ}خواهم`],
  ['Hindi, written with a joiner', `क्${ZWJ}ष`, `क्${ZWJ}ष`],
  ['Hebrew and Arabic without marks', 'שלום مرحبا', 'שלום مرحبا'],
  ['lines and tabs', 'a\n\tb', 'a\n\tb'],
  ['plain text', 'Åsa-Lí 李 — “fine” 100 %', 'Åsa-Lí 李 — “fine” 100 %'],
])('%s', (_, written, read) => {
  expect(withoutHidden(written)).toBe(read)
  expect(withoutHidden(read)).toBe(read)
})

test('removes spaces behind hidden characters', () => {
  expect(tidyText(` ${code(0x202e)} Ada ${code(0x200b)} `)).toBe('Ada')
  expect(tidyText(code(0x200b, 0x2060, 0x202e))).toBe('')
})

test.each([
  0x2800, 0x115f, 0x1160, 0xfe0f, 0xfe00, 0x301, 0x17b4, 0x180b, 0x1d159, 0x1d173, 0xe0100, 0x13440, 0xe000, 0x3164,
  0xffa0, 0x200b, 0x202e, 0x2066, 0xad, 0x34f, 0x61c, 0xfeff, 0x3000, 0x7, 0x1b,
])('text of U+%x alone is empty', (point) => {
  expect(tidyText(code(point))).toBe('')
  expect(tidyText(`${code(point)} ${code(point)}`)).toBe('')
  expect(oneLine().check(z.minLength(1)).safeParse(code(point)).success).toBe(false)
})

test.each(['?', '!', '…', '7', '€', '👍', '李', 'ก', 'Ю'])('%s counts as visible text', (text) => {
  expect(tidyText(text)).toBe(text)
})

test('removes control characters except line breaks and tabs', () => {
  expect(tidyText('a\x00b\x1b[1mc\n\td')).toBe('ab[1mc\n\td')
})

test.each([
  ['one break', 'a\nb', 'a\nb'],
  ['an empty line', 'a\n\nb', 'a\n\nb'],
  ['an empty line of Windows', 'a\r\n\r\nb', 'a\r\n\r\nb'],
  ['two empty lines', 'a\n\n\nb\n\n\n\nc', 'a\n\nb\n\nc'],
  ['lines of spaces', `a${'\n \t'.repeat(1900)}b`, 'a\n\nb'],
  ['empty lines of Windows', 'a\r\n\r\n\r\nb', 'a\n\nb'],
  ['breaks of other kinds', 'a\u2028\u2029\u0085\v\fb', 'a\n\nb'],
  ['spaces in a line', 'a     b\n      c', 'a     b\n      c'],
])('gaps: %s', (_, written, read) => {
  expect(withoutGaps(written)).toBe(read)
  expect(withoutGaps(read)).toBe(read)
})

test.each(['a\nb', 'a\rb', 'a\tb', 'a\u2028b', 'a\x1b[1mb', 'a\x7fb'])(
  'rejects a text that is not one line: %j',
  (text) => {
    expect(oneLine().safeParse(text).success).toBe(false)
  },
)

test('accepts one line and trims its end', () => {
  expect(oneLine().parse(' Tea & biscuits “2 €”\n')).toBe('Tea & biscuits “2 €”')
})

test('joins line breaks around hidden characters', () => {
  expect(tidyText(`a${`\n${code(0x200b)}`.repeat(9)}b`)).toBe('a\n\nb')
})

test('tidies a long text of joiners in linear time', () => {
  const began = process.cpuUsage().user
  withoutHidden(`👩${ZWJ}`.repeat(50_000) + ZWJ.repeat(50_000))
  expect(process.cpuUsage(/* in microseconds */).user - began).toBeLessThan(2_000_000)
})
