import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { query } from '../kit/query.client.ts'
import { useOnline } from '../kit/useOnline.ts'
import { getLocation } from '../localisation/localisation.contract.ts'
import { useCurrency } from '../localisation/useCurrency.ts'
import { useReadiness } from './Readiness.tsx'
import { screenTypeOf } from './screen.rules.ts'

/** What the shop knows of its own state; only what is measured is listed. */
export function SystemStatus() {
  const { code } = useCurrency()
  const { data: place } = useQuery(query(getLocation, {}))
  const readiness = useReadiness()
  const isOnline = useOnline()
  const width = useWidth()
  const isHealthy = isOnline && readiness?.failing.length === 0
  const health = readiness ? (isHealthy ? 'Healthy' : 'Degraded') : 'Checking'
  return (
    <details className="panel card p-0">
      <summary>
        <span className={`pulse ${isHealthy ? '' : 'pulse--wait'}`} />
        System Status
        <ChevronDown className="icon" aria-hidden />
      </summary>
      <dl className="panel__body pairs">
        <Pair name="Location" value={`${place?.country_name ?? 'Unknown'}, ${code}`} />
        <Pair name="Screen type" value={screenTypeOf(width)} />
        <Pair name="Health" value={health} />
      </dl>
    </details>
  )
}

const Pair = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

function useWidth() {
  const [width, setWidth] = useState(innerWidth)
  useEffect(() => {
    const measure = () => setWidth(innerWidth)
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  return width
}
