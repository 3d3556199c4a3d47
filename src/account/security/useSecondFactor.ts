import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '../../identity/second-factor/secondFactor.contract.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'

const secondFactorQuery = query(getSecondFactor, {})

export function useSecondFactor() {
  const cache = useQueryClient()
  const know = (isOn: boolean, recoveryCodesLeft: number) => {
    cache.setQueryData(secondFactorQuery.queryKey, { isOn, recoveryCodesLeft })
    cache.setQueryData<CurrentUser>(keyOf(getCurrentUser, {}), (user) => user && { ...user, twoFactorEnabled: isOn })
  }
  return {
    status: useQuery({ ...secondFactorQuery, refetchOnMount: 'always' }),
    begin: useMutation({ mutationFn: (password: string) => call(beginSecondFactor, { password }) }),
    confirm: useMutation({
      mutationFn: (code: string) => call(confirmSecondFactor, { code }),
      onSuccess: ({ recoveryCodes }) => know(true, recoveryCodes.length),
    }),
    renew: useMutation({
      mutationFn: (password: string) => call(renewRecoveryCodes, { password }),
      onSuccess: ({ recoveryCodes }) => know(true, recoveryCodes.length),
    }),
    end: useMutation({
      mutationFn: (password: string) => call(endSecondFactor, { password }),
      onSuccess: ({ isOn, recoveryCodesLeft }) => know(isOn, recoveryCodesLeft),
    }),
  }
}
