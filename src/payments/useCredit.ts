import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query/query.client.ts'
import { getCredit } from './credit.contract.ts'

export const creditQuery = query(getCredit, {})

/** The customer's store credit. It moves when orders settle, so it is read anew by every page that shows it. */
export const useCredit = () => useQuery({ ...creditQuery, refetchOnMount: 'always' })
