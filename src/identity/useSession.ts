import { useQuery } from '@tanstack/react-query'
import { query } from '../kit/query.client.ts'
import { type CurrentUser, getCurrentUser } from './identity.contract.ts'

export type Session = { user: CurrentUser | null; isLoading: boolean; error: Error | null }

/** Who is signed in. A request that fails means signed out, and is not tried again. */
export function useSession(): Session {
  const { data, isPending, error } = useQuery(query(getCurrentUser, {}))
  return { user: data ?? null, isLoading: isPending, error }
}
