import { useQuery } from '@tanstack/react-query'
import { CloudOff, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { Button } from '../../ui/Button.tsx'
import { canKeep } from '../library/keepFile.client.ts'
import { describeRefusal } from '../refusal.rules.ts'
import { dropCourse, findCourse, isOld, storeCourse } from './storedCourse.client.ts'

export function StoreCourse({ lineId }: { lineId: string }) {
  const { user } = useSession()
  const isOnline = useOnline()
  const [isBusy, setBusy] = useState(false)
  const { data: stored, refetch } = useQuery({ queryKey: ['stored course', lineId], queryFn: () => findCourse(lineId) })
  const userId = user?.id
  useEffect(() => {
    // on an error the former copy stays stored
    if (userId && stored && isOnline && isOld(stored)) storeCourse(userId, lineId).catch(() => undefined)
  }, [userId, stored, isOnline, lineId])
  if (!userId || stored === undefined || !canKeep()) return null
  const change = async () => {
    setBusy(true)
    try {
      await (stored ? dropCourse(lineId) : storeCourse(userId, lineId))
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t keep the lessons. Please try again.'))
    } finally {
      setBusy(false)
      await refetch()
    }
  }
  if (!stored && !isOnline) return null
  return (
    <div className="stack gap-2">
      <Button
        tone="quiet"
        className="self-start"
        isBusy={isBusy}
        icon={stored ? <Trash2 className="icon" aria-hidden /> : <CloudOff className="icon" aria-hidden />}
        onClick={() => void change()}
      >
        {stored ? 'Remove the lessons from this device' : 'Keep the lessons on this device'}
      </Button>
      {stored && <p className="muted small">You can read them offline. Audio, films and files need a connection.</p>}
    </div>
  )
}
