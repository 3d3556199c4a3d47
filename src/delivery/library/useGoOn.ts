import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { readGoOn } from './owned.contract.ts'

export const goOnQuery = query(readGoOn, {})

export const useGoOn = () => useQuery({ ...goOnQuery, refetchOnMount: useAlways() }).data?.[0] ?? null
