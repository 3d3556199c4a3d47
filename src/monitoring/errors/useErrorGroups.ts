import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import {
  type ErrorGroup,
  type GroupStatus,
  listErrorGroups,
  listOccurrences,
  setErrorStatus,
} from './errors.contract.ts'

const ASK_EVERY = 30_000

export const useErrorGroups = (status: GroupStatus) =>
  useQuery({ ...query(listErrorGroups, { status }), refetchOnMount: 'always', refetchInterval: ASK_EVERY })

export const useOccurrences = (id: string) => useQuery({ ...query(listOccurrences, { id }), refetchOnMount: 'always' })

const SAID: Record<GroupStatus, string> = {
  open: 'It’s open again.',
  muted: 'It’s still counted, but no longer listed as open.',
  fixed: 'It reopens automatically if a later release has it.',
}

export function useErrorStatus(group: ErrorGroup) {
  const cache = useQueryClient()
  const change = useMutation({
    mutationFn: (status: GroupStatus) => call(setErrorStatus, { id: group.id, status }),
    onSuccess: async ({ status, fixedIn }) => {
      await cache.invalidateQueries({ queryKey: ['/api/admin/errors'] })
      const title = status === 'fixed' ? `Fixed in ${fixedIn}` : status === 'muted' ? 'Muted' : 'Opened again'
      const undo = {
        label: 'Undo',
        hint: 'To undo, find the error under its new state',
        run: () => void change.mutate(group.status),
      }
      toast({ title, description: SAID[status], ...(status !== group.status && { action: undo }) })
    },
    onError: (error) => toastFailure(error, 'We couldn’t update the error. Please try again.'),
  })
  return change
}
