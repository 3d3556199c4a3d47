import { expect, test } from 'vitest'
import { namesOfColleagues } from './typing.rules.ts'

test.each([
  ['a colleague', ['ada:lena:Lena'], ['Lena']],
  ['two colleagues', ['ada:lena:Lena', 'ada:tom:Tom B'], ['Lena', 'Tom B']],
  ['a colleague without a name', ['ada:lena:'], ['A colleague']],
  ['a name with a colon', ['ada:lena:Le:na'], ['Le:na']],
  ['the caller in another tab', ['ada:me:Mia'], []],
  ['the customer', ['ada'], []],
  ['a colleague of another customer', ['bob:lena:Lena'], []],
])('lists who is typing to a customer: %s', (_, keys, names) => {
  expect(namesOfColleagues(new Set(keys), 'ada', 'me')).toEqual(names)
})
