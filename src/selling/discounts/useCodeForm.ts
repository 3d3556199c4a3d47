import { useQuery } from '@tanstack/react-query'
import {
  addDiscount,
  changeDiscount,
  getOwnDiscount,
  type OwnDiscount,
} from '../../cart/discounts/ownDiscounts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { listOwnProducts } from '../selling.contract.ts'
import { problemsOf, typedOf, wordsOf } from './ownDiscount.rules.ts'
import { useDiscounts } from './useDiscounts.ts'

const productsQuery = query(listOwnProducts, { limit: 200 })

export type CodeForm = ReturnType<typeof useCodeForm>

/** The form of a discount code; `code` is null for a new one. */
export function useCodeForm(code: OwnDiscount | null, onClose: () => void) {
  const { refresh } = useDiscounts()
  const { data: products = [] } = useQuery(productsQuery)
  const form = useSavedForm({
    saved: code,
    valuesOf: typedOf,
    problemsOf,
    save: (typed, saved) => {
      const words = wordsOf(typed, saved)
      const sent = saved
        ? call(changeDiscount, { id: saved.id, version: saved.version, ...words })
        : call(addDiscount, words)
      return sent.finally(() => void refresh())
    },
    onSaved: (saved) => {
      toast({
        title: code ? `${saved.code} saved` : `${saved.code} is ready`,
        description: 'Copy its link to share it.',
      })
      onClose()
    },
    reload: async () => code && call(getOwnDiscount, { id: code.id }),
    failure: 'That didn’t work. Please try again.',
    refusedAt: 'code',
  })
  return { ...form, products }
}
