import { useState } from 'react'
import { tabStorage } from '../kit/storage.client.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/Link.tsx'

const LATER = 'staff-factor-later'

export function AskFactor() {
  const [isLater, setLater] = useState(() => tabStorage.read(LATER) !== null)
  if (isLater) return null
  const postpone = () => setLater(tabStorage.write(LATER, '1') || true)
  return (
    <div className="card row row--between" role="status">
      <span className="grow">Protect this staff account with a passkey or two-factor authentication.</span>
      <LinkButton href="/settings">Set it up</LinkButton>
      <Button tone="quiet" onClick={postpone}>
        Later
      </Button>
    </div>
  )
}
