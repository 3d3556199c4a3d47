import { expect, test } from 'vitest'
import { fillReply } from './reply.rules.ts'
import starters from './starterReplies.json' with { type: 'json' }

const values = { name: 'Ada', agent: 'Lena', store: 'Primo' }

test.each([
  ['Hi {name}, {agent} of {store}.', 'Hi Ada, Lena of Primo.'],
  ['{name} {name} {order}', 'Ada Ada {order}'],
  ['No variables', 'No variables'],
])('fills %j', (body, text) => expect(fillReply(body, values)).toBe(text))

test('does not fill placeholders inside a name', () => {
  expect(fillReply('Hi {name}', { ...values, name: '{agent} $&' })).toBe('Hi {agent} $&')
})

test.each(starters)('the first reply "$title" has no variable that stays empty', ({ body }) => {
  expect(fillReply(body, values)).not.toContain('{')
})
