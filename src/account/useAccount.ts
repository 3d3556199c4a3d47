import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Account, getAccount } from '../identity/accounts/account.contract.ts'
import { type CurrentUser, getCurrentUser } from '../identity/identity.contract.ts'
import { isProofMissing } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { keyOf, query } from '../kit/query/query.client.ts'

const accountQuery = query(getAccount, {})

/** What the account chose, and when it was used last. */
export const useAccount = () => useQuery({ ...accountQuery, refetchOnMount: 'always' })

/** A change whose answer is the account anew. */
export function useAccountChange<Given>(
  send: (given: Given) => Promise<Account>,
): UseMutationResult<Account, Error, Given> {
  const cache = useQueryClient()
  return useMutation({ mutationFn: send, onSuccess: (account) => cache.setQueryData(accountQuery.queryKey, account) })
}

/** A change whose answer is who is signed in. */
export function useUserChange<Given>(
  send: (given: Given) => Promise<CurrentUser>,
): UseMutationResult<CurrentUser, Error, Given> {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (user) => cache.setQueryData(keyOf(getCurrentUser, {}), user),
  })
}

export type Problem = { field: string | undefined; message: string }

/** What the shop said against it, and about which field. Nothing went wrong when who was asked for a proof would rather not. */
export function problemOf(error: Error | null, otherwise: string): Problem | null {
  if (!error || isProofMissing(error)) return null
  const { field, message } = (error instanceof Failure ? error.details : undefined) ?? {}
  return {
    field: typeof field === 'string' ? field : undefined,
    message: typeof message === 'string' ? message : otherwise,
  }
}
