import { expect, test } from 'vitest'
import { ownWords, tokenIn } from './mailIn.rules.ts'

test.each([
  [
    'Thank you!\n\nOn Mon, Nov 23, 2026 at 9:00 AM Primo <shop@x.example> wrote:\n> A person has answered',
    'Thank you!',
  ],
  ['Yes.\r\n\r\nOn Mon, Nov 23, 2026 at 9:00 AM\r\nPrimo <shop@x.example> wrote:\r\n> Hello', 'Yes.'],
  ['> quoted first\nBelow it', 'Below it'],
  ['Hello\n-- \nAda Okafor\nCity', 'Hello'],
  ['On reflection I like it.', 'On reflection I like it.'],
  ['> only quoted', ''],
])("extracts the customer's own text from %j", (mail, words) => expect(ownWords(mail)).toBe(words))

test.each([
  ['Re: Primo has answered your message [c-0123456789abcdef0123]', '0123456789abcdef0123'],
  ['Re: Primo has answered your message', null],
  ['[c-0123]', null],
])('extracts the token from %j', (subject, token) => expect(tokenIn(subject)).toBe(token))
