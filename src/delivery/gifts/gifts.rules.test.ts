import { expect, test } from 'vitest'
import { hasAddress } from './gifts.rules.ts'

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
])('finds the address in %j', (text) => expect(hasAddress(text)).toBe(true))

test.each([
  'Start with the second loaf.',
  'It cost $3.50, i.e. less than No.2 at 10.30 p.m.',
  'Learn Node.js and Vue.js in 3.5 hours',
  'Happy birthday.Enjoy it!',
  'The dot comes last',
  'Mr. Smith & Co. send 1.000 greetings',
  'À bientôt… 本当にありがとう。またね',
])('lets %j pass', (text) => expect(hasAddress(text)).toBe(false))
