import { useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { createProduct } from '../catalogue/catalogue.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { useSavedForm } from '../ui/form/useSavedForm.ts'
import { toast } from '../ui/toasts/toast.client.ts'
import { EMPTY, problemsOf, readAsking, type Values, valuesOf } from './edit.rules.ts'
import { editProduct, getOwnProduct, type OwnDetail } from './selling.contract.ts'
import { useFreshOwn } from './useStanding.ts'

export type EditForm = ReturnType<typeof useEdit>

export function useEdit(product: OwnDetail | null) {
  const cache = useQueryClient()
  const refresh = useFreshOwn()

  async function save(values: Values, saved: OwnDetail | null): Promise<string> {
    const { imageUrl, ...texts } = { ...values, ...readAsking(values) }
    if (!saved) {
      const { id } = await call(createProduct, { ...texts, isDraft: true })
      refresh()
      toast({ title: 'Draft saved', description: 'Only you can see it. Add its file, then put it on sale.' })
      return id
    }
    const { id, version } = saved
    const image = imageUrl === saved.imageUrl ? {} : { imageURL: imageUrl }
    cache.setQueryData(keyOf(getOwnProduct, { id }), await call(editProduct, { id, version, ...texts, ...image }))
    refresh()
    toast({ title: 'Changes saved', tone: 'good' })
    return id
  }

  return useSavedForm({
    saved: product,
    valuesOf: (saved): Values => (saved ? valuesOf(saved) : EMPTY),
    problemsOf,
    save,
    onSaved: (id) => {
      if (!product) navigate(`/my-products/${id}`, { replace: true })
    },
    reload: async () => {
      if (product) await cache.refetchQueries({ queryKey: keyOf(getOwnProduct, { id: product.id }) })
    },
    failure: 'Failed to save your product. Please try again.',
    onFailure: toastFailure,
  })
}
