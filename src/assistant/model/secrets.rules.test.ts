import { expect, test } from 'vitest'
import { withoutSecrets } from './secrets.rules.ts'

const known = { asker: { firstName: 'Ada', lastName: 'O’Neil' }, orders: ['7f3a92c1'] }

test.each([
  ['the code ABCD1234EFGH5678 is used', 'the code [code] is used'],
  ['and AB12CD34EF56GH78, xyz98765abc', 'and [code], [code]'],
  ['mine is XYZ-12345', 'mine is [code]'],
  ['mine is DEMO-ABCD-EFGH or ab12-cd34-ef56', 'mine is [code] or [code]'],
  ['mine is AB12 CD34 EF56', 'mine is [code]'],
  ['PayPal says 5O190127TN364715T', 'PayPal says [code]'],
  ['the order 0199a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b', 'the order [code]'],
  ['my card 4111 1111 1111 1111', 'my card [number]'],
  ['call +1 800 555 0199 or (030) 123-4567', 'call [number] or [number]'],
  ['I live at 12 Main Street, Berlin 10115', 'I live at [address]'],
  ['I live at 7b old mill road', 'I live at [address]'],
  ['Hauptstraße 12, 10115 Berlin', '[address] Berlin'],
  ['my address is Elm 4, 94110 and so on', 'my address is Elm [number], [number] and so on'],
  ['I am Ada O’Neil (ada@shop.example)', 'I am [name] [name] ([e-mail])'],
  ['where is order 7f3a92c1, and b04e1d77?', 'where is order 7f3a92c1, and [code]?'],
])('sends %j to a model as %j', (message, sent) => expect(withoutSecrets(message, known)).toBe(sent))

test.each([
  'Is it for 2 computers, under $20.00, in 1920x1080?',
  'Does the adapter deface 2024 files on Windows 11?',
  'a first-come-first-served gift of $25',
  'compare 10,000 words with 366 questions, please',
  'the 24-hour-support of a 100-page book',
])('does not change %j', (message) => expect(withoutSecrets(message, known)).toBe(message))
