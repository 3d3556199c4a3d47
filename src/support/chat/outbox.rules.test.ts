import { expect, test } from 'vitest'
import { OTHER_ACCOUNT } from '../../kit/call.ts'
import { Failure } from '../../kit/failure.ts'
import { fateOf } from './outbox.rules.ts'

const refusal = (status: number, message?: string, retryAfter?: number) =>
  new Failure(status, `${status}`, undefined, { details: { message }, ...(retryAfter && { retryAfter }) })

test.each([
  ['no connection', new TypeError('Failed to fetch'), { retryAfter: 15 }],
  ['too many messages', refusal(429, 'Too many', 40), { retryAfter: 40 }],
  ['a fault of the server', refusal(500), { retryAfter: 15 }],
  ['a busy server', refusal(503, 'Busy', 5), { retryAfter: 5 }],
  ['an ended session', refusal(401, 'Unauthorized'), { retryAfter: null }],
  ['a sign-in to another account', new Failure(409, 'Another account', OTHER_ACCOUNT), { retryAfter: null }],
  ['a text that is refused', refusal(400, 'Write something first.'), { reason: 'Write something first.' }],
  ['a refusal without words', refusal(403), { reason: 'The store did not accept it.' }],
])('decides after %s if a queued message is retried or refused', (_, error, fate) =>
  expect(fateOf(error)).toEqual(fate),
)
