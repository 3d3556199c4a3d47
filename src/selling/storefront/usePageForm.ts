import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/call.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { linksOf, problemsOf, valuesOf } from './editor.rules.ts'
import { getSeller, saveStorefront, type Seller, type Storefront } from './storefront.contract.ts'
import { storefrontQuery } from './storefront.query.client.ts'

export type PageForm = ReturnType<typeof usePageForm>

export function usePageForm(storefront: Storefront) {
  const cache = useQueryClient()

  /** Writes the saved page into the cache, because a request could return the former page from the server's cache. */
  function show(former: Storefront, { handle, bio, design }: Storefront) {
    const keys = [former.handle, handle].map((one) => keyOf(getSeller, { handle: one ?? '' }))
    const seller = keys.map((key) => cache.getQueryData<Seller>(key)).find(Boolean)
    for (const key of seller ? keys : []) cache.setQueryData(key, { ...seller, handle, bio, design })
  }

  return useSavedForm({
    saved: storefront,
    valuesOf,
    problemsOf,
    save: async ({ handle, bio, links, ...design }, former) => {
      const saved = await call(saveStorefront, { handle, bio, design: { ...design, links: linksOf(links) } })
      cache.setQueryData(storefrontQuery.queryKey, saved)
      show(former, saved)
    },
    onSaved: () => toast({ title: 'Seller page saved', tone: 'good' }),
    failure: 'We couldn’t save your seller page. Please try again.',
  })
}
