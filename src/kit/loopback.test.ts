import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each(['localhost', '127.0.0.1', '127.3.2.1', '::1', '[::1]', '::ffff:127.0.0.1'])(
  'recognizes %s as this machine',
  (host) => expect(isLoopback(host)).toBe(true),
)

test.each([
  '',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '10.0.0.1',
  '::',
  '128.0.0.1',
  '127.0.0.1, 10.0.0.1',
])('does not recognize %j as this machine', (host) => expect(isLoopback(host)).toBe(false))
