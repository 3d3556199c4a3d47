import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useAccount } from '../../account/useAccount.ts'
import { query } from '../../kit/query/query.client.ts'
import { useStore } from '../../kit/store.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { getLocation, type Location } from '../../localisation/localisation.contract.ts'
import { useCurrency } from '../../localisation/currency.client.ts'
import { errorCounts } from '../../monitoring/errors/monitor.client.ts'
import { setWatch, useIsWatchOn, type Watch } from '../../kit/watch/switches.client.ts'
import { realtime } from '../../kit/realtime/realtime.client.ts'
import type { Realtime } from '../../kit/realtime/realtime.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { readSessionRisk, watchRisk } from '../../risk/paymentCheck.client.ts'
import { screenTypeOf } from './screen.rules.ts'

export function SystemStatusDetails({ health }: { health: string }) {
  const { code } = useCurrency()
  const { data: place } = useQuery(query(getLocation, {}))
  const { message, state } = useStore(realtime)
  const width = useSyncExternalStore(watchResize, () => innerWidth)
  const { riskScore, reason, recommendations } = useSessionRisk()
  const { total, autoFixed } = useStore(errorCounts)
  return (
    <>
      <dl className="panel__body pairs">
        <Pair name="Location" value={`${placeName(place)}, ${code}`} />
        <Pair name="Screen type" value={screenTypeOf(width)} />
        <Pair name="Real-time" value={message ?? NAMES[state]} />
        <Pair
          name="Monitoring"
          value={`${total} ${total === 1 ? 'error' : 'errors'}, ${autoFixed} auto-fixed since this page was loaded`}
        />
        <Pair
          name="Security risk"
          value={riskScore > RISKY ? <Badge look="failed">{riskScore}%</Badge> : `${riskScore}%`}
        />
        {reason && <Pair name="Why" value={reason} />}
        {recommendations.length > 0 && <Pair name="Recommended" value={recommendations.join(', ')} />}
        <Pair name="Health" value={health} />
      </dl>
      <div className="panel__body">
        <WatchSwitch
          watch="security"
          label="Security monitoring"
          hint="Checks that a person and not a program uses this page, and from which country."
        />
        <WatchSwitch
          watch="errors"
          label="Error monitoring"
          hint="Reports problems to the store, without personal data."
        />
      </div>
    </>
  )
}

/** The country. 'Unknown' if the lookup failed and returned only the default. */
const placeName = (place?: Location) => (place && place.isKnown !== false ? place.country_name : 'Unknown')

function WatchSwitch({ watch, ...words }: { watch: Watch; label: string; hint: string }) {
  return <Switch {...words} isOn={useIsWatchOn(watch)} onChange={(isOn) => setWatch(watch, isOn)} />
}

/** The current score. An event changes it immediately and counts for half an hour. */
function useSessionRisk() {
  const now = useNow(15_000)
  const [heardAt, setHeardAt] = useState(0)
  useEffect(() => watchRisk(() => setHeardAt(Date.now())), [])
  const { data: account } = useAccount()
  return readSessionRisk(Math.max(now, heardAt), !!account?.pausedUntil)
}

const NAMES: Record<Realtime['state'], string> = {
  loading: 'Connecting',
  connected: 'Connected',
  error: 'Failed to fetch real-time data',
  disconnected: 'No internet connection',
}

const RISKY = 50

function watchResize(changed: () => void) {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}
