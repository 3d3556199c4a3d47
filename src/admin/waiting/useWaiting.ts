import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { listWaiting, WAITING } from './waiting.contract.ts'

const POLL_MS = 60_000

/** Open items of this member of staff. Pages work without these counts. */
export function useWaiting() {
  const { data } = useQuery({ ...query(listWaiting, {}), refetchInterval: POLL_MS })
  return data
}

export function useWaitingByPage(): Map<string, number> {
  const byPage = new Map<string, number>()
  for (const { kind, count } of useWaiting() ?? []) byPage.set(WAITING[kind], (byPage.get(WAITING[kind]) ?? 0) + count)
  return byPage
}
