import { useQueryClient } from '@tanstack/react-query'
import type { OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { listOwnDiscounts, removeDiscountCode, setDiscountState } from '../../cart/discounts/ownDiscounts.contract.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import type { ListPage } from '../../kit/query/list.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'

const OWN = keyOf(listOwnDiscounts, {})

type Pages = { pages: ListPage<OwnDiscount[]>[] }

/** Pauses, resumes, ends and deletes codes. Shows a pause optimistically and rolls back a refused one. */
export function useDiscounts() {
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: OWN })
  const show = (changed: OwnDiscount) =>
    cache.setQueriesData<Pages>({ queryKey: OWN }, (list) => {
      const swap = (one: OwnDiscount) => (one.id === changed.id ? changed : one)
      return list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(swap) })) }
    })

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to change the code. Please try again.')
      return false
    } finally {
      void refresh()
    }
  }

  async function pause(code: OwnDiscount, isPaused: boolean, canUndo = true) {
    await cache.cancelQueries({ queryKey: OWN })
    show({ ...code, state: isPaused ? 'paused' : 'active' })
    const isDone = await attempt(async () =>
      show(await call(setDiscountState, { id: code.id, state: isPaused ? 'paused' : 'active' })),
    )
    if (!isDone) return
    toast({
      title: `${code.code} ${isPaused ? 'paused' : 'resumed'}`,
      ...(canUndo && {
        action: {
          label: 'Undo',
          hint: 'The button beside the code undoes it',
          run: () => void pause(code, !isPaused, false),
        },
      }),
    })
  }

  return {
    refresh,
    pause: (code: OwnDiscount) => void pause(code, true),
    resume: (code: OwnDiscount) => void pause(code, false),
    end: ({ id }: OwnDiscount) => attempt(() => call(setDiscountState, { id, state: 'ended' })),
    remove: ({ id }: OwnDiscount) => attempt(() => call(removeDiscountCode, { id })),
  }
}
