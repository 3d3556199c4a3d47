import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { verifyIdentity } from '../../identity/second-factor/stepUp.contract.ts'
import { call, isProofMissing } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import { StepUpDialog } from './StepUpDialog.tsx'

// Requests a proof of identity in a dialog after the server refused a call that requires one.

let root: Root | undefined
let asking: Promise<boolean> | undefined

/**
 * Resolves to true after the proof, or to false if the member declines. Concurrent calls share one prompt. If the call
 * contained a wrong password, throws its error, so that the field shows it.
 */
export function askProof(refused: unknown): Promise<boolean> {
  if (asking) return asking.catch(() => false)
  asking = proveAndReadAnew(refused).finally(() => {
    asking = undefined
  })
  return asking
}

async function proveAndReadAnew(refused: unknown): Promise<boolean> {
  const isProven = await prove(refused)
  if (isProven) void queryClient.invalidateQueries({ predicate: ({ state }) => isProofMissing(state.error) })
  return isProven
}

async function prove(refused: unknown): Promise<boolean> {
  if (await isProofTyped(refused)) return true
  return new Promise((answer) => {
    root ??= createRoot(document.body.appendChild(document.createElement('div')))
    const draw = (isOpen: boolean) =>
      root!.render(
        <QueryClientProvider client={queryClient}>
          <StepUpDialog isOpen={isOpen} onClose={close(false)} onProven={close(true)} />
        </QueryClientProvider>,
      )
    const close = (isProven: boolean) => () => {
      draw(false)
      answer(isProven)
    }
    draw(true)
  })
}

/** Uses the password of the refused call as proof, so that the member types it only once. */
async function isProofTyped(refused: unknown): Promise<boolean> {
  const { password, currentPassword } = (refused ?? {}) as Record<string, unknown>
  const typed = currentPassword ?? password
  if (typeof typed !== 'string' || typed === '') return false
  try {
    await call(verifyIdentity, { password: typed })
    return true
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'wrong_password') return false
    const field = currentPassword === undefined ? 'password' : 'currentPassword'
    throw new Failure(error.status, error.message, error.code, { details: { ...error.details, field } })
  }
}
