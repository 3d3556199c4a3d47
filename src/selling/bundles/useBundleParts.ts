import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { moved } from '../../kit/values/moved.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { getOwnProduct, type OwnDetail, setParts } from '../selling.contract.ts'
import { useFreshOwn } from '../useStanding.ts'

const idsOf = ({ parts }: OwnDetail) => parts.map((part) => part.id)

/** The parts in the form. They follow the saved parts until the seller changes them. */
export function useBundleParts(product: OwnDetail) {
  const { id, version } = product
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  // sends the version that the seller started from, so that the server detects conflicting edits
  const [base, setBase] = useState(product)
  const saved = idsOf(base)
  const [chosen, setChosen] = useState(saved)
  const isUntouched = chosen.join() === saved.join()
  if (version !== base.version && (isUntouched || idsOf(product).join() === saved.join())) {
    setBase(product)
    if (isUntouched) setChosen(idsOf(product))
  }
  const save = useMutation({
    mutationFn: () => call(setParts, { id, version: base.version, partIds: chosen }),
    onSuccess: (changed) => {
      cache.setQueryData(keyOf(getOwnProduct, { id }), changed)
      setBase(changed)
      toast({ title: 'Bundle saved', tone: 'good' })
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save that. Please try again.'),
    onSettled: refresh,
  })
  return {
    chosen,
    isUntouched,
    isSaving: save.isPending,
    save: () => save.mutate(),
    add: (partId: string) => setChosen((now) => [...now, partId]),
    remove: (partId: string) => setChosen((now) => now.filter((one) => one !== partId)),
    move: (from: number, to: number) => setChosen((now) => moved(now, from, to)),
    discard: () => {
      setBase(product)
      setChosen(idsOf(product))
    },
  }
}
