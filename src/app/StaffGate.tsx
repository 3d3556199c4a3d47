import { useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { isProofMissing, proveIdentity } from '../kit/call.client.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { AdminNav } from './AdminNav.tsx'

/**
 * Around what staff alone may see: once it is refused until they show again who they are, it is out of sight, with
 * whatever was being written, and comes back as it was. The way to the other pages stays.
 */
export function StaffGate({ children }: { children: ReactNode }) {
  const isShut = useIsShut()
  const [path] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const ask = () => {
    setAsking(true)
    void proveIdentity().finally(() => setAsking(false))
  }
  return (
    <>
      {isShut && (
        <div className="section gap-4">
          {/* what is inside a dialog of Settings has no such pages beside it */}
          {path.startsWith('/admin') && <AdminNav />}
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

/** Whether anything on the screen was refused for want of a fresh proof. */
function useIsShut(): boolean {
  const queries = useQueryClient().getQueryCache()
  const watch = useCallback((changed: () => void) => queries.subscribe(changed), [queries])
  return useSyncExternalStore(watch, () =>
    queries.getAll().some((one) => one.isActive() && isProofMissing(one.state.error)),
  )
}
