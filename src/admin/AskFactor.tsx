import { useState } from 'react'
import { tabStorage } from '../kit/storage.client.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'

const LATER = 'staff-factor-later'

export function AskFactor() {
  const [isLater, setLater] = useState(() => tabStorage.read(LATER) !== null)
  if (isLater) return null
  const postpone = () => setLater(tabStorage.write(LATER, '1') || true)
  return (
    <div className="banner" role="status">
      <Link className="text-link grow" href="/settings">
        Add a second factor
      </Link>
      <Button tone="quiet" onClick={postpone}>
        Later
      </Button>
    </div>
  )
}
