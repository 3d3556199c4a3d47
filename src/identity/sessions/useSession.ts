import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { type CurrentUser, getCurrentUser } from '../identity.contract.ts'

export type Session = {
  user: CurrentUser | null
  isLoading: boolean
  error: Error | null
  /** The request failed, so it is unknown whether the visitor is signed in. */
  isUnknown: boolean
  retry: () => Promise<unknown>
}

/** A 401 means signed out. Never retries automatically. */
export function useSession(): Session {
  const { data, isPending, error, refetch } = useQuery(query(getCurrentUser, {}))
  const isSignedOut = error instanceof Failure && error.status === 401
  return {
    user: data ?? null,
    isLoading: isPending,
    error,
    isUnknown: !data && !!error && !isSignedOut,
    retry: refetch,
  }
}
