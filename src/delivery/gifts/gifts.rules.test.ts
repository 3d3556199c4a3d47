import { expect, test } from 'vitest'
import { hasRealAddress } from './addresses.server.ts'
import { hasAddress, withBlanks } from './gifts.rules.ts'

test.each([
  'see https://x.example',
  'HTTP://1.2',
  'www .bread',
  'bread.com',
  'Win at bread.casino today',
  'go to bread.de',
  'bread．com',
  'bread。com',
  'br\u200bead.\u2060com',
  'ｂｒｅａｄ.ｃｏｍ',
  'bread dot com',
  'bread[.]com',
  'bread ( dot ) net',
  'bread.whatever/now',
  'пример.xn--p1ai',
  '10.20.30.40',
  'write to me@bread',
  'tel:555',
  'Call tel:555',
  'gift-example.codes',
  'gift-example.love',
  'Get it at Example.It/now',
  'gift-example.museum today',
  'пример.рф',
  'g i f t - e x a m p l e . c o m',
  'example . com',
  'Claim more: \u202Emoc.elpmaxe-tfig',
  'Claim more: \u2066gift-example.com\u2069',
])('detects the address in %j', (text) => expect(hasRealAddress(text)).toBe(true))

test.each([
  'Start with the second loaf.',
  'It cost $3.50, i.e. less than No.2 at 10.30 p.m.',
  'Learn Node.js and Vue.js in 3.5 hours',
  'Happy birthday.Enjoy it!',
  'Titel: Die Reise',
  'For the Hotel: enjoy',
  'Kapitel: Eins',
  'Love from Mr.Li',
  'Happy birthday.It is for you',
  'Enjoy.So much fun',
  'ok.No worries',
  'Take care.Me',
  'Read intro.md and book.epub',
  'I love you, a b c d e',
  'The dot comes last',
  'Mr. Smith & Co. send 1.000 greetings',
  'À bientôt… 本当にありがとう。またね',
])('accepts %j', (text) => {
  expect(hasRealAddress(text)).toBe(false)
  expect(hasAddress(text)).toBe(false)
})

test.each([
  ['Happy birthday.It is for you', 'Happy birthday. It is for you'],
  ['Love from Mr.Li', 'Love from Mr. Li'],
  ['i.e. at 10.30, Node.js', 'i.e. at 10.30, Node.js'],
  ['U.S.A.', 'U.S.A.'],
])('writes %j as %j, so that no mail program links it', (written, read) => {
  expect(withBlanks(written)).toBe(read)
})
