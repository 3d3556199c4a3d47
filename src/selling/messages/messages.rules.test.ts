import { expect, test } from 'vitest'
import { hasWebAddress, idOf, whyClosed } from './messages.rules.ts'

test.each([
  ['own', 'You ended this thread. Sally S. can’t write to you.'],
  ['other', 'Sally S. ended this thread.'],
  ['staff', 'We ended this thread.'],
  ['gone', 'This account was deleted.'],
  ['suspended', 'You can’t write to buyers while your account is suspended.'],
  ['unasked', 'The product was free. You can write after Sally S. has written to you.'],
] as const)('explains a thread that is closed for the reason %s', (closed, why) =>
  expect(whyClosed(closed, 'Sally S.')).toBe(why),
)

test.each([
  ['Confirm it at https://primo.example', true],
  ['Confirm it at primo-verify.example/card', true],
  ['Write to sally@mail.example', true],
  ['It is the long one. The short one is 4.5 minutes, e.g. for radio.', false],
])('detects whether “%s” has a web address', (text, has) => expect(hasWebAddress(text)).toBe(has))

test('reuses the id of a message only for the same text', () => {
  const last = { messageId: crypto.randomUUID(), text: 'Is it long?' }
  expect(idOf(last, 'Is it long?')).toBe(last.messageId)
  expect(idOf(last, 'Is it long? And loud?')).not.toBe(last.messageId)
  expect(idOf(null, 'Is it long?')).toMatch(/^[\da-f-]{36}$/)
})
