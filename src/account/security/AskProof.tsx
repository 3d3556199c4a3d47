import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { verifyIdentity } from '../../identity/second-factor/stepUp.contract.ts'
import { call, isProofMissing } from '../../kit/call.client.ts'
import { Failure } from '../../kit/failure.ts'
import { queryClient } from '../../kit/query/query.client.ts'
import { StepUpDialog } from './StepUpDialog.tsx'

// A call was refused until whoever sits there shows again who they are: asks for it above whatever stands on the screen.

let root: Root | undefined
let asking: Promise<boolean> | undefined

/**
 * True once it is shown; false when they would rather not. Calls that are refused together ask once. Throws the refusal of
 * a wrong password that the call itself was given: the field it was typed into says so.
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
  // what was refused meanwhile can be read now
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

/** The refused call may hold the password already: nobody should have to type it twice. */
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
