import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { listNewProducts, type NewProducts } from './newProducts.contract.ts'

export const newProductsQuery = query(listNewProducts, {})

export function useNewProducts() {
  const cache = useQueryClient()
  const { data: sellers = [], isLoading } = useQuery({ ...newProductsQuery, refetchOnMount: useAlways() })
  const dismiss = (seller: NewProducts) =>
    import('./dismissNewProducts.client.ts').then(
      (module) => module.dismiss(cache, seller),
      (error: unknown) => toastFailure(error, 'We couldn’t dismiss this. Please try again.'),
    )
  return { sellers, isLoading, dismiss }
}
