import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { routeOf, scrub } from './scrub.rules.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

test.each<readonly [string, string]>([
  ['Mail to ada.l+x@shop.example.org failed', 'Mail to [e-mail] failed'],
  ['/api/x/ada%40shop.example', '/api/x/[e-mail]'],
  ['GET /cart?code=9&mail=a@b.co#top failed', 'GET /cart failed'],
  ['https://shop.example/assets/index-Dx12ab_9.js?v=1:10:20', 'https://shop.example/assets/index-Dx12ab_9.js:10:20'],
  [
    'at x (https://shop.example/assets/SystemStatusDetails-Dx12ab_9.js:1:20)',
    'at x (https://shop.example/assets/SystemStatusDetails-Dx12ab_9.js:1:20)',
  ],
  [`Authorization: Bearer ${JWT}`, 'Authorization=[secret]'],
  ['sent bearer abc.def', 'sent bearer [secret]'],
  ['{"password":"two words","x":1}', '{"password=[secret],"x":1}'],
  ["token = 'short'", 'token=[secret]'],
  [
    '{"currentPassword":"correct horse","newPassword":"tame otters sing"}',
    '{"currentPassword=[secret],"newPassword=[secret]}',
  ],
  ['{"password":"it\'s \\"mine\\", all of it","x":1}', '{"password=[secret],"x":1}'],
  ['{"password": "correct hor', '{"password=[secret]'],
  ['"{\\"password\\":\\"two words\\",\\"x\\":1}"', '"{\\"password=[secret],\\"x\\":1}"'],
  ['"{\\\\\\"password\\\\\\": \\\\\\"two words\\\\\\"}"', '"{\\\\\\"password=[secret]}"'],
  ["{ 'secretKey' => 'two words' }", "{ 'secretKey=[secret] }"],
  ['Authorization: Basic c2hvcDpwdw==', 'Authorization=[secret]'],
  ['{"authorization":"Basic c2hvcDpwdw==","x":1}', '{"authorization=[secret],"x":1}'],
  ['Proxy-Authorization: Digest username="ada", nonce="n"\nnext', 'Proxy-Authorization=[secret]\nnext'],
  ['Cookie: a=b; __Host-primo=tok', 'Cookie=[secret]'],
  ['Set-Cookie: __Host-primo=tok; Path=/\nnext', 'Set-Cookie=[secret]\nnext'],
  ['accessToken=abc123', 'accessToken=[secret]'],
  ['access_token: s3cr3t', 'access_token=[secret]'],
  ['client_secret=hunter2&x=1', 'client_secret=[secret]&x=1'],
  ['refreshToken=short1', 'refreshToken=[secret]'],
  ['X-Api-Key: k1, AWS_SECRET_ACCESS_KEY=k2', 'X-Api-Key=[secret], AWS_SECRET_ACCESS_KEY=[secret]'],
  ['token: bearer abc', 'token=[secret]'],
  ['session-id=12; path=/', 'session-id=[secret]; path=/'],
  ['4111 1111 1111 1111 was refused', '[number] was refused'],
  ['card 4111-1111-1111-1111.', 'card [number].'],
  ['3782 822463 10005', '[number]'],
  ['order 0190b3c2-7f58-7cc3-98c4-dc0c0c07398f', 'order [id]'],
  ['key AKfycbx9Q2w7eRtY4uIoP0aS', 'key [secret]'],
  ['signed qL8s+Zk3m/9xYw2TtA1bC4dE6fG8hJ0k==', 'signed [secret]'],
  ['from 203.0.113.77 on', 'from [address] on'],
  ['from 2001:db8:77:1::1 on', 'from [address] on'],
  ['connect ECONNREFUSED fd00::9:5432', 'connect ECONNREFUSED [address]'],
  ['ip:2001:0DB8:0077:0001:0000:0000:0000:0001, [fe80::1%eth0]:443', 'ip:[address], [[address]%eth0]:443'],
  ['2001:db8::: away, 2001:db8::/32', '[address] away, [address]/32'],
  ['::ffff:203.0.113.7 and 2001:db8::203.0.113.7', '::ffff:[address] and [address][address]'],
  ["Cannot read properties of undefined (reading 'price')", "Cannot read properties of undefined (reading 'price')"],
  ["x?.y is not a function, evaluating 'a ? b : c'", "x?.y is not a function, evaluating 'a ? b : c'"],
  ...[
    'at 12:30:45 and 2026-11-22T12:30:45.123Z',
    'a::b, std::vector, f64::abs, face::before, h1::after',
    'at file.js:10:5 and file.js:2001:10:5, line 2001:10:5',
    'the token is missing, the password is required',
    'Unexpected token \'<\', "<!doctype "... is not valid JSON',
    'Error: no token:\n    at readToken (/assets/useToken.js:10:5)',
    'resetPassword@/assets/index.js:10:5',
    'mac 00:1a:2b:3c:4d:5e',
  ].map((text) => [text, text] as const),
  ['total 1200.50 of 12 items in 3000 ms', 'total 1200.50 of 12 items in 3000 ms'],
])('scrubs %s', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed)
  expect(scrub(scrubbed)).toBe(scrubbed)
})

test.each([
  ['https://shop.example/product/0190b3c2-7f58-7cc3-98c4-dc0c0c07398f?from=a@b.co', '/product/:id'],
  ['/', '/'],
  ['https://shop.example', '/'],
  ['', '/'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('returns the route of %s', (url, route) => {
  expect(routeOf(url)).toBe(route)
})

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 13, maxLength: 19 })
const secret = fc.oneof(
  fc.emailAddress(),
  fc.uuid(),
  digits.map((all) => all.join('')),
  digits.map((all) => all.join(' ')),
  fc.tuple(digits, fc.constantFrom('-', ' ')).map(([all, by]) => all.join('').replace(/(\d{4})(?=\d)/g, `$1${by}`)),
  fc.constant(JWT),
  fc.stringMatching(/^[a-f]\d[a-f\d]{30}$/),
)

test('removes every e-mail, token, id and card-like number in any context', () => {
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
      expect(scrub(`${before} ${hidden} ${after}`)).not.toContain(hidden)
    }),
  )
})

test('scrubs a long adversarial text in linear time', async () => {
  for (const text of [
    '/'.repeat(16_000),
    'a@'.repeat(8000),
    '1-'.repeat(8000),
    'token='.repeat(2700),
    'token '.repeat(2700),
    'cookie"'.repeat(2300),
    'token:"'.repeat(2300),
    `token:"${String.raw`\"`.repeat(8000)}`,
    `token:${'\\'.repeat(16_000)}`,
    `token${' '.repeat(16_000)}`,
    '2001:'.repeat(3200),
    `2001${':'.repeat(16_000)}`,
    'a.'.repeat(8000),
  ]) {
    expect(await cpuMs(() => scrub(text))).toBeLessThan(500)
  }
})
