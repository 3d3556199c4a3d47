import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { listWaiting, WAITING } from './waiting.contract.ts'

const POLL_MS = 60_000

/** What waits for this member of staff. Optional: the pages work without it. */
export function useWaiting() {
  const { data } = useQuery({ ...query(listWaiting, {}), refetchInterval: POLL_MS })
  return data
}

/** How many things wait on each page. */
export function useWaitingByPage(): Map<string, number> {
  const byPage = new Map<string, number>()
  for (const { kind, count } of useWaiting() ?? []) byPage.set(WAITING[kind], (byPage.get(WAITING[kind]) ?? 0) + count)
  return byPage
}
