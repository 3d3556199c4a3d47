import { deviceOf } from '../../identity/sessions/device.rules.ts'
import { reasonOf } from '../../kit/failure.ts'

export function deviceName(userAgent: string): string {
  const device = deviceOf(userAgent)
  return device === 'Unknown device' ? 'Passkey' : device
}

export function passkeyProblem(error: Error | null): string | null {
  if (!error) return null
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (error.name === 'SecurityError') return 'Passkeys don’t work at this web address.'
  if (error.name === 'NotAllowedError') return 'No passkey was created. Try again when you’re ready.'
  return reasonOf(error) ?? 'We couldn’t add the passkey. Please try again.'
}
