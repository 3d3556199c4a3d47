import { expect, test } from 'vitest'
import { readBounces } from './bounces.rules.ts'

const ada = 'ada@shop.example'

test.each([
  ['our format', { email: ada }, [{ email: ada, kind: 'bounce', reason: '' }]],
  [
    'our format, spam',
    { email: ada, kind: 'complaint', reason: 'x' },
    [{ email: ada, kind: 'complaint', reason: 'x' }],
  ],
  ['several notices', [{ email: ada }, { email: 'b@c.example' }], [{ email: ada }, { email: 'b@c.example' }]],
  [
    'Postmark, unknown address',
    { RecordType: 'Bounce', Type: 'HardBounce', TypeCode: 1, Email: ada, Description: 'unknown user' },
    [{ email: ada, kind: 'bounce', reason: 'unknown user' }],
  ],
  ['Postmark, full mailbox', { RecordType: 'Bounce', Type: 'SoftBounce', Email: ada }, []],
  ['Postmark, spam', { RecordType: 'SpamComplaint', Email: ada }, [{ email: ada, kind: 'complaint' }]],
  ['Postmark, opened mail', { RecordType: 'Open', Recipient: ada }, []],
  [
    'SendGrid, unknown address and a delivery',
    [
      { event: 'bounce', type: 'bounce', email: ada, reason: '550 5.1.1\r\nno such user' },
      { event: 'delivered', email: ada },
    ],
    [{ email: ada, kind: 'bounce', reason: '550 5.1.1 no such user' }],
  ],
  ['SendGrid, temporary rejection', [{ event: 'bounce', type: 'blocked', email: ada }], []],
  ['SendGrid, spam', [{ event: 'spamreport', email: ada }], [{ email: ada, kind: 'complaint' }]],
])('%s', (_, body, told) => {
  const read = readBounces(body)
  expect(read).toHaveLength(told.length)
  expect(read).toMatchObject(told)
})

test.each([[null], ['x'], [[]], [{}], [{ email: 1 }], [{ email: ada, role: 'admin' }], [[{ email: ada }, {}]]])(
  'ignores %j',
  (body) => {
    expect(readBounces(body) ?? []).toEqual([])
  },
)

test('truncates a reason and reads at most a thousand events', () => {
  expect(readBounces({ email: ada, reason: 'x'.repeat(5000) })![0]!.reason).toHaveLength(300)
  expect(readBounces(Array<object>(1000).fill({ email: ada }))).toHaveLength(1000)
  expect(readBounces(Array<object>(1001).fill({ email: ada }))).toBeNull()
})
