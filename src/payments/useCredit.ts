import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query/query.client.ts'
import { useAlways } from '../kit/query/useAlways.ts'
import { getCredit } from './credit.contract.ts'

export const creditQuery = query(getCredit, {})

export const useCredit = () => useQuery({ ...creditQuery, refetchOnMount: useAlways() })
