import { expect, test, vi } from 'vitest'
import { STEP_UP_REQUIRED } from '../../kit/contract.ts'
import { Failure } from '../../kit/failure.ts'
import { askProof } from './AskProof.tsx'
import { problemOf } from '../useAccount.ts'

vi.mock('./StepUpDialog.tsx', () => ({ StepUpDialog: () => null }))

/** Sets the response of the server to the proof. */
function answer(status: number, body: unknown) {
  const fetch = vi.fn<() => Promise<Response>>(async () => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

test('uses the password of the refused call as proof, without a prompt', async () => {
  const fetch = answer(200, { minutes: 10 })
  expect(await askProof({ password: 'quiet harbour' })).toBe(true)
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    '/api/account/step-up',
    expect.objectContaining({ method: 'POST', body: JSON.stringify({ password: 'quiet harbour' }) }),
  )
})

test.each(['password', 'currentPassword'])(
  'reports a wrong password at its field %s, without a prompt',
  async (field) => {
    const message = 'That’s not your current password.'
    answer(409, { message, code: 'wrong_password', field: 'password' })
    const refused = { [field]: 'loud harbour' }
    const [first, joined] = await Promise.allSettled([askProof(refused), askProof(undefined)])
    expect(problemOf((first as PromiseRejectedResult).reason as Error, '')).toEqual({ field, message })
    expect(joined).toEqual({ status: 'fulfilled', value: false })
  },
)

test('a declined proof is not an error', () => {
  const refusal = new Failure(403, 'Please verify your identity to continue', STEP_UP_REQUIRED, { details: {} })
  expect(problemOf(refusal, 'That failed.')).toBeNull()
})
