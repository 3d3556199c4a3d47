import { useQuery } from '@tanstack/react-query'
import { getAccount } from '../identity/accounts/account.contract.ts'
import { isProofMissing } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { query } from '../kit/query/query.client.ts'
import { useAlways } from '../kit/query/useAlways.ts'

export const accountQuery = query(getAccount, {})

export const useAccount = () => useQuery({ ...accountQuery, refetchOnMount: useAlways() })

/** Returns the server's message and its field. Null if the member declined the proof of identity. */
export function problemOf(error: Error | null, otherwise: string): { field?: string; message: string } | null {
  if (!error || isProofMissing(error)) return null
  const { field, message } = (error instanceof Failure ? error.details : undefined) ?? {}
  return {
    ...(typeof field === 'string' && { field }),
    message: typeof message === 'string' ? message : otherwise,
  }
}
