import * as z from 'zod/mini'
import { endpoint } from '../../src/kit/contract.ts'
import { SandboxCapture } from '../capture.contract.ts'
import { Faults } from '../faults.contract.ts'

// Calls for scripts and tests, which the provider does not have.

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
