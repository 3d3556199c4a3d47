import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { inOrder, keyOf, query } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import {
  addPart,
  getOutline,
  orderParts,
  type Outline,
  type OutlinePart,
  removePart,
  restorePart,
} from './outline.contract.ts'

export function useOutline(productId: string, onChange: () => void) {
  const cache = useQueryClient()
  const key = keyOf(getOutline, { id: productId })
  const {
    data: parts,
    isError,
    refetch,
  } = useQuery({ ...query(getOutline, { id: productId }), refetchOnMount: 'always' })
  const [isBusy, setBusy] = useState(false)
  const show = (next: Outline) => cache.setQueryData(key, next)

  async function change(run: () => Promise<Outline>, ahead?: Outline): Promise<boolean> {
    const before = cache.getQueryData<Outline>(key)
    if (ahead) show(ahead)
    setBusy(true)
    try {
      show(await inOrder(`outline ${productId}`, run))
      onChange()
      return true
    } catch (error) {
      if (before) show(before)
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change the course. Please try again.')
      void refetch()
      return false
    } finally {
      setBusy(false)
    }
  }

  const add = (isSection: boolean, title: string) => change(() => call(addPart, { id: productId, isSection, title }))

  const reorder = (next: Outline) =>
    change(() => call(orderParts, { id: productId, ids: next.map(({ id }) => id) }), next)

  const restore = (part: OutlinePart) => change(() => call(restorePart, { id: productId, partId: part.id }))

  async function remove(part: OutlinePart) {
    const isGone = await change(
      () => call(removePart, { id: productId, partId: part.id }),
      parts?.filter((one) => one !== part),
    )
    if (isGone)
      toast({
        title: part.isSection ? 'Section deleted' : 'Lesson deleted',
        description: part.title,
        action: { label: 'Undo', hint: 'Put it back where it was', run: () => void restore(part) },
      })
  }
  return { parts, isError, refetch, isBusy, add, reorder, remove }
}
