import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useOnline } from '../kit/useOnline.ts'
import { useReadiness } from './useReadiness.ts'

const SystemStatusDetails = lazy(async () => ({
  default: (await import('./SystemStatusDetails.tsx')).SystemStatusDetails,
}))

/** What the shop knows of its own state; opened on demand. */
export function SystemStatus() {
  const [isOpened, setOpened] = useState(false)
  const readiness = useReadiness()
  const isOnline = useOnline()
  const isHealthy = isOnline && readiness?.ready === readiness?.all
  const health = readiness ? (isHealthy ? 'Healthy' : 'Degraded') : 'Checking'
  return (
    <details className="panel card p-0" onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>
        <span className={`pulse ${isHealthy ? '' : 'pulse--wait'}`} />
        System Status
        <ChevronDown className="icon" aria-hidden />
      </summary>
      {isOpened && (
        <Suspense>
          <SystemStatusDetails health={health} />
        </Suspense>
      )}
    </details>
  )
}
