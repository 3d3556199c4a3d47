import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { query } from '../kit/query.client.ts'
import { getLocation } from '../localisation/localisation.contract.ts'
import { useCurrency } from '../localisation/useCurrency.ts'
import { readRealtime, watchRealtime } from '../monitoring/realtime.client.ts'
import type { Realtime } from '../monitoring/realtime.rules.ts'
import { screenTypeOf } from './screen.rules.ts'

/** Only what is measured is listed. */
export function SystemStatusDetails({ health }: { health: string }) {
  const { code } = useCurrency()
  const { data: place } = useQuery(query(getLocation, {}))
  const realtime = useSyncExternalStore(watchRealtime, readRealtime)
  const width = useWidth()
  return (
    <dl className="panel__body pairs">
      <Pair name="Location" value={`${place?.country_name ?? 'Unknown'}, ${code}`} />
      <Pair name="Screen type" value={screenTypeOf(width)} />
      <Pair name="Real-time" value={realtime.message ?? NAMES[realtime.state]} />
      <Pair name="Health" value={health} />
    </dl>
  )
}

const NAMES: Record<Realtime['state'], string> = {
  loading: 'Connecting',
  connected: 'Connected',
  error: 'Failed to fetch real-time data',
  disconnected: 'No internet connection',
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
