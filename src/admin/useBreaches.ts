import { useQuery } from '@tanstack/react-query'
import { listBreaches } from '../audit/breaches.contract.ts'
import { query } from '../kit/query/query.client.ts'

const POLL_MS = 60_000

/** The broken rules of the ledger, read again each minute. */
export const useBreaches = (enabled = true) =>
  useQuery({ ...query(listBreaches, {}), enabled, refetchInterval: POLL_MS })
