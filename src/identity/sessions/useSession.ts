import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../kit/failure.ts'
import { query } from '../../kit/query/query.client.ts'
import { type CurrentUser, getCurrentUser } from '../identity.contract.ts'

export type Session = {
  user: CurrentUser | null
  isLoading: boolean
  error: Error | null
  /** Nobody could say who is signed in: another answer than "no session", or none. */
  isUnknown: boolean
  retry: () => Promise<unknown>
}

/** Who is signed in. A 401 means signed out; nothing is tried again by itself. */
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
