import { useQuery } from '@tanstack/react-query'
import { pagesOf } from '../../kit/query/list.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { useList } from '../../kit/query/useList.ts'
import { getSales, listSales, type Period, type Sale, SALES_STEP } from './sales.contract.ts'

const OFTEN_MS = 30_000
const SELDOM_MS = 600_000

export function useSummary(days: Period) {
  const refetchInterval = useAskEvery(OFTEN_MS, SELDOM_MS)
  return useQuery({
    ...query(getSales, { days }),
    refetchInterval,
    refetchOnMount: 'always',
    // shows the former figures until the figures of another period are loaded
    placeholderData: (before) => before,
  })
}

export type SalesFilter = { days: Period; productId?: string | undefined; state?: 'paid' | 'refunded' | undefined }

export const useSalesList = (filter: SalesFilter) =>
  useList<Sale>({ ...pagesOf(listSales, { ...filter, limit: SALES_STEP }), refetchOnMount: 'always' })
