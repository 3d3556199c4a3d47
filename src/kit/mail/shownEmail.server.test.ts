import { expect, test } from 'vitest'
import { tidyEmail } from '../../identity/accounts/email.rules.ts'
import { shownEmail, withShownEmails } from './shownEmail.server.ts'

test.each([
  'ada@bücher.example',
  'ada@mail.bücher.example',
  'ada@пример.example',
  'ada@ουτοπία.example',
  'ada@例え.example',
  'ada@한국.example',
  'ada@דוגמה.example',
  'ada@shop.example',
])('shows the address %j unchanged', (typed) => expect(shownEmail(tidyEmail(typed))).toBe(typed))

test.each([
  ['mixed scripts', 'ada@pаypal.example'],
  ['letters that look like Latin ones', 'ada@сосо.example'],
])('returns the ASCII form of a domain with %s', (_, typed) => {
  expect(tidyEmail(typed)).toContain('@xn--')
  expect(shownEmail(tidyEmail(typed))).toBe(tidyEmail(typed))
})

test.each(['ada@xn--a.example', 'ada@xn--bcher-kva.xn--.example', 'ada@XN--BCHER-KVA.example', 'ada', '@', ''])(
  'returns %j unchanged, because its domain does not convert back',
  (email) => expect(shownEmail(email)).toBe(email),
)

test('converts the email fields of a reply to Unicode, and changes no other text', () => {
  const reply = (email: string) => ({ email, list: [{ buyer: email, askedBy: null }] })
  const shown = withShownEmails(JSON.stringify(reply('ada@xn--bcher-kva.example')))
  expect(JSON.parse(shown)).toEqual(reply('ada@bücher.example'))
  const goods = { code: 'ada@xn--bcher-kva.example:Pa55', note: '{"email":"ada@xn--bcher-kva.example"}' }
  expect(withShownEmails(JSON.stringify(goods))).toBe(JSON.stringify(goods))
})
