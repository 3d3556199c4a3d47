import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'
import { SandboxCapture } from '../capture.contract.ts'
import { Faults } from '../faults.contract.ts'

// Control calls for scripts and tests. PayPal has no such calls.

export const setFaults = endpoint('PUT /sandbox/paypal/test/faults', {
  access: 'public',
  about: 'Makes the payment sandbox fail on purpose.',
  input: Faults,
  reply: Faults,
})

export const listCaptures = endpoint('GET /sandbox/paypal/test/captures', {
  access: 'public',
  about: 'Lists the captures of the payment sandbox.',
  reply: z.array(SandboxCapture),
})

export const listPayoutItems = endpoint('GET /sandbox/paypal/test/payouts', {
  access: 'public',
  about: 'Lists the payouts of the payment sandbox.',
  reply: z.array(
    z.object({
      id: z.string(),
      senderItemId: z.string(),
      receiver: z.string(),
      amount: z.string(),
      status: z.string(),
    }),
  ),
})
