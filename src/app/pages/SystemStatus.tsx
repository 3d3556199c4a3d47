import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '../../kit/useOnline.ts'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { useReadiness } from '../../monitoring/health/useReadiness.ts'

const SystemStatusDetails = lazyPart(() => import('./SystemStatusDetails.tsx'), 'SystemStatusDetails')

export function SystemStatus() {
  const [isOpened, setOpened] = useState(false)
  const readiness = useReadiness()
  const isOnline = useOnline()
  const isHealthy = isOnline && readiness?.ready === readiness?.all
  const health = readiness ? (isHealthy ? 'Healthy' : 'Degraded') : 'Checking'
  return (
    <details className="panel card" onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>
        <span className={`pulse ${isHealthy ? '' : 'pulse--wait'}`} />
        System Status
        <ChevronDown className="icon" aria-hidden />
      </summary>
      {isOpened && <SystemStatusDetails health={health} />}
    </details>
  )
}
