import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'
import { SandboxCapture } from '../capture.contract.ts'
import { Faults } from '../faults.contract.ts'

// Control calls for scripts and tests. Stripe has no such calls.

export const setFaults = endpoint('PUT /sandbox/stripe/test/faults', {
  access: 'public',
  about: 'Makes the stand-in for card payments fail on purpose.',
  input: Faults,
  reply: Faults,
})

export const listCaptures = endpoint('GET /sandbox/stripe/test/captures', {
  access: 'public',
  about: 'Lists the payments that the stand-in for card payments took.',
  reply: z.array(SandboxCapture),
})
