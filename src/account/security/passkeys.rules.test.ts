import { expect, test } from 'vitest'
import { Failure } from '../../kit/failure.ts'
import { deviceName, passkeyProblem } from './passkeys.rules.ts'

test('names a passkey after its device', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0')).toBe('Firefox on Linux')
  expect(deviceName('curl/8.5.0')).toBe('Passkey')
})

test.each([
  [null, null],
  [new DOMException('', 'InvalidStateError'), 'This device already has a passkey for your account.'],
  [new DOMException('', 'NotAllowedError'), 'No passkey was created. Try again when you’re ready.'],
  [new DOMException('', 'SecurityError'), 'Passkeys don’t work at this web address.'],
  [new Failure(409, '409: {}', 'x', { details: { message: 'An account has 20' } }), 'An account has 20'],
  [new TypeError('Failed to fetch'), 'We couldn’t add the passkey. Please try again.'],
])('describes %s', (error, text) => {
  expect(passkeyProblem(error)).toBe(text)
})
