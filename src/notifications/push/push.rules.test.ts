import { expect, test } from 'vitest'
import { endpointProblem, verdictOf } from './push.rules.ts'

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  'https://web.push.apple.com/QGuAb',
  'https://wns2-par02p.notify.windows.com/w/?token=BQYA',
])('accepts the endpoint %s', (endpoint) => expect(endpointProblem(endpoint)).toBeNull())

test.each([
  'push',
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
  'https://user:word@push.example/x',
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://[::1]/x',
  'https://localhost/x',
  'https://shop.localhost/x',
  'https://database.internal/x',
  'https://printer.local/x',
  'https://intranet/x',
  'https://push.example./x',
  'file:///etc/passwd',
  'http://127.0.0.1:5432/',
])('rejects the endpoint %s', (endpoint) => expect(endpointProblem(endpoint)).toEqual(expect.any(String)))

test.each([
  [201, 'done'],
  [200, 'done'],
  [404, 'gone'],
  [410, 'gone'],
  [403, 'gone'],
  [400, 'refused'],
  [413, 'refused'],
  [301, 'refused'],
  [429, 'again'],
  [503, 'again'],
])('reads the status %i as %s', (status, verdict) => expect(verdictOf(status)).toBe(verdict))
