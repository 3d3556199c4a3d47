import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { proveIdentity } from '../kit/call.client.ts'
import { FACTOR_NEEDED } from '../kit/contract.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'

export function StaffShut({ code }: { code: string }) {
  const [isAsking, setAsking] = useState(false)
  const ask = () => {
    setAsking(true)
    void proveIdentity().finally(() => setAsking(false))
  }
  if (code === FACTOR_NEEDED)
    return (
      <EmptyState
        level={1}
        scene="ticket"
        title="Protect your account first"
        action={<LinkButton href="/settings">Open Settings</LinkButton>}
      >
        Staff accounts need a passkey or two-factor authentication. Add one under Security.
      </EmptyState>
    )
  return (
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
      To protect customers, staff pages close after 30 minutes without use, and after 8 hours.
    </EmptyState>
  )
}
