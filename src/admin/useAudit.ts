import { useInfiniteQuery } from '@tanstack/react-query'
import { listAudit } from '../identity/audit/audit.contract.ts'
import type { Kind } from '../identity/audit/audit.rules.ts'
import { readList } from '../kit/query/list.client.ts'
import { keyOf } from '../kit/query/query.client.ts'

const PAGE = { limit: 50 }

/** Staff actions, newest first, page by page. */
export function useAudit(kind: Kind | undefined, q: string) {
  const asked = { ...PAGE, kind, q: q || undefined }
  const { data, ...rest } = useInfiniteQuery({
    queryKey: keyOf(listAudit, asked),
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      readList(listAudit, { ...asked, after: pageParam === null ? undefined : Number(pageParam) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ after }) => after,
    refetchOnMount: 'always',
  })
  return { entries: data?.pages.flatMap(({ items }) => items), ...rest }
}
