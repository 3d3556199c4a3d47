import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { listOpenItems, listWaiting, WAITING } from './waiting.contract.ts'

const POLL_MS = 60_000

const useCounts = () => useQuery({ ...query(listWaiting, {}), refetchInterval: POLL_MS })

/** The counts of open items and the most urgent of them. */
export function useOpenWork() {
  const counts = useCounts()
  const items = useQuery({ ...query(listOpenItems, {}), refetchInterval: POLL_MS, refetchOnMount: 'always' })
  return {
    waiting: counts.data,
    items: items.data,
    isError: counts.isError || items.isError,
    refetch: () => Promise.all([counts.refetch(), items.refetch()]),
  }
}

/** Open items of this member of staff by page. Pages work without these counts. */
export function useWaitingByPage(): Map<string, number> {
  const byPage = new Map<string, number>()
  for (const { kind, count } of useCounts().data ?? [])
    byPage.set(WAITING[kind], (byPage.get(WAITING[kind]) ?? 0) + count)
  return byPage
}
