import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../identity/sessions/useSession.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { getStatus, getStatusDetails } from './status.contract.ts'
import { readinessOf } from './readiness.rules.ts'

/** Failures must show within 15 s. A hidden tab does not poll. */
const POLL_MS = 5000
const TIMEOUT_MS = 8000

// without the cookie, because reading a session needs the database
const askAsNobody: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' })

const status = {
  queryKey: keyOf(getStatus, {}),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(getStatus, {}, { fetch: askAsNobody, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }),
  refetchInterval: POLL_MS,
  refetchOnMount: 'always',
} as const

export function useReadiness() {
  const { user } = useSession()
  const { data, isError } = useQuery(status)
  const isTroubled = data?.some(({ grade }) => grade === 'warn' || grade === 'fail') ?? false
  const details = useQuery({
    ...query(getStatusDetails, {}),
    enabled: isTroubled && user?.isAdmin === true,
    refetchInterval: POLL_MS,
  })
  if (isError) return readinessOf(null)
  if (!data) return undefined
  return readinessOf(data, { details: details.data, isStaff: user?.isAdmin === true })
}
