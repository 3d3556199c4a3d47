import { CloudOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { describeRefusal } from '../refusal.rules.ts'
import { canKeep, keepFile } from './keepFile.client.ts'
import { dropFile, openKept } from './kept.client.ts'
import type { KeptFile } from './kept.rules.ts'
import type { Owned } from './owned.contract.ts'

export function KeepButton({ owned, file, isKept }: { owned: Owned; file: KeptFile; isKept: boolean }) {
  const { user } = useSession()
  const [bytes, setBytes] = useState<number | null>(null)
  if (!user) return null
  const { id: userId } = user
  const { id, fileName, sizeBytes } = file
  const keep = async () => {
    setBytes(0)
    try {
      await keepFile({ userId, owned, file: { id, fileName, sizeBytes }, onProgress: setBytes })
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
      const text = isFull ? 'This device has no room for the file.' : 'We couldn’t keep the file. Please try again.'
      toastFailure(error, describeRefusal(error, text))
    } finally {
      setBytes(null)
    }
  }
  if (isKept)
    return (
      <div className="files__below row gap-2">
        <Button tone="quiet" onClick={() => void openKept(userId, owned.id, file)}>
          Save a copy
        </Button>
        <Button
          tone="quiet"
          icon={<Trash2 className="icon" aria-hidden />}
          aria-label={`Remove ${fileName} from this device`}
          onClick={() => void dropFile(userId, owned.id, id)}
        >
          Remove from this device
        </Button>
      </div>
    )
  if (!canKeep()) return null
  return (
    <div className="files__below row gap-2">
      <Button
        tone="quiet"
        icon={<CloudOff className="icon" aria-hidden />}
        isBusy={bytes !== null}
        aria-label={`Keep ${fileName} on this device`}
        onClick={() => void keep()}
      >
        {bytes === null
          ? `Keep on this device, ${formatBytes(sizeBytes)}`
          : `Keeping, ${Math.floor((100 * bytes) / sizeBytes)} %`}
      </Button>
    </div>
  )
}
