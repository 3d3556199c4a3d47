import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { isProofMissing } from '../kit/call.client.ts'
import { FACTOR_NEEDED } from '../kit/contract.ts'
import type { Failure } from '../kit/failure.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

const StaffShut = lazyPart(() => import('./StaffShut.tsx'), 'StaffShut')

/** Hides staff data until a fresh proof of identity. The page stays mounted, so that unsaved input is not lost. */
export function StaffGate({ nav, children }: { nav?: ReactNode; children: ReactNode }) {
  const shut = useShut()
  const isShut = shut !== undefined
  return (
    <>
      {shut !== undefined && (
        <div className="section gap-4">
          {nav}
          <section className="card" role="status">
            <StaffShut code={shut} />
          </section>
        </div>
      )}
      <div className={isShut ? undefined : 'contents'} hidden={isShut}>
        {children}
      </div>
    </>
  )
}

function useShut(): string | undefined {
  const queries = useQueryClient().getQueryCache()
  const watch = useCallback((changed: () => void) => queries.subscribe(changed), [queries])
  return useSyncExternalStore(watch, () => {
    const errors = queries.getAll().map((one) => (one.isActive() ? one.state.error : null))
    const shut = errors.find((error) => isProofMissing(error) || (error as Failure | null)?.code === FACTOR_NEEDED)
    return (shut as Failure | undefined)?.code
  })
}
