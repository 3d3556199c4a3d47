import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react'
import { isProofMissing, proveIdentity } from '../kit/call.client.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'

/** Hides staff data until a fresh proof of identity. It stays mounted, so that half-written input survives. */
export function StaffGate({ nav, children }: { nav?: ReactNode; children: ReactNode }) {
  const isShut = useIsShut()
  const [isAsking, setAsking] = useState(false)
  const ask = () => {
    setAsking(true)
    void proveIdentity().finally(() => setAsking(false))
  }
  return (
    <>
      {isShut && (
        <div className="section gap-4">
          {nav}
          <section className="card" role="status">
            <EmptyState
              level={1}
              scene="ticket"
              title="Please verify your identity to continue"
              action={
                <Button icon={<Fingerprint className="icon" aria-hidden />} isBusy={isAsking} onClick={ask}>
                  Verify
                </Button>
              }
            >
              To protect customers, staff pages stay open for ten minutes at a time.
            </EmptyState>
          </section>
        </div>
      )}
      <div className={isShut ? undefined : 'contents'} hidden={isShut}>
        {children}
      </div>
    </>
  )
}

function useIsShut(): boolean {
  const queries = useQueryClient().getQueryCache()
  const watch = useCallback((changed: () => void) => queries.subscribe(changed), [queries])
  return useSyncExternalStore(watch, () =>
    queries.getAll().some((one) => one.isActive() && isProofMissing(one.state.error)),
  )
}
