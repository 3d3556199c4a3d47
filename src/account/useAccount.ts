import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Account, getAccount } from '../identity/accounts/account.contract.ts'
import { type CurrentUser, getCurrentUser } from '../identity/identity.contract.ts'
import { isProofMissing } from '../kit/call.client.ts'
import { Failure } from '../kit/failure.ts'
import { keyOf, query } from '../kit/query/query.client.ts'

const accountQuery = query(getAccount, {})

export const useAccount = () => useQuery({ ...accountQuery, refetchOnMount: 'always' })

/** A mutation whose reply is the account. */
export function useAccountChange<Given>(
  send: (given: Given) => Promise<Account>,
): UseMutationResult<Account, Error, Given> {
  const cache = useQueryClient()
  return useMutation({ mutationFn: send, onSuccess: (account) => cache.setQueryData(accountQuery.queryKey, account) })
}

/** A mutation whose reply is the signed-in user. */
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

/** The server's message and its field; null if the member declined the proof of identity. */
export function problemOf(error: Error | null, otherwise: string): Problem | null {
  if (!error || isProofMissing(error)) return null
  const { field, message } = (error instanceof Failure ? error.details : undefined) ?? {}
  return {
    field: typeof field === 'string' ? field : undefined,
    message: typeof message === 'string' ? message : otherwise,
  }
}
