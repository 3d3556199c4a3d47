import { expect, test } from 'vitest'
import { tidyEmail } from './email.rules.ts'
import { shownEmail, withShownEmails } from '../../kit/mail/shownEmail.server.ts'

test.each([
  'ada@bücher.example',
  'ada@mail.bücher.example',
  'ada@пример.example',
  'ada@ουτοπία.example',
  'ada@例え.example',
  'ada@한국.example',
  'ada@דוגמה.example',
  'ada@shop.example',
])('shows the address %j as it was typed', (typed) => expect(shownEmail(tidyEmail(typed))).toBe(typed))

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

test('shows each address in JSON, and leaves other text as it is', () => {
  const json = JSON.stringify({
    a: 'ada@xn--bcher-kva.example',
    b: ['To bo@mail.xn--bcher-kva.example.', 'x@y.example'],
  })
  expect(JSON.parse(withShownEmails(json))).toEqual({
    a: 'ada@bücher.example',
    b: ['To bo@mail.bücher.example.', 'x@y.example'],
  })
  for (const text of ['https://xn--bcher-kva.example/', 'ada@xn--', '@', 'ada@xn--a.example'])
    expect(withShownEmails(JSON.stringify(text))).toBe(JSON.stringify(text))
})
