import type { QueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { hideItems } from '../../kit/query/hideItems.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { dismissNewProducts, listNewProducts, MAX_SHOWN_SELLERS, type NewProducts } from './newProducts.contract.ts'

const queryKey = keyOf(listNewProducts, {})

/** Hides the new products of a seller at once. */
export async function dismiss(cache: QueryClient, { sellerId, publishedAt }: NewProducts) {
  const wasFull = cache.getQueryData<NewProducts[]>(queryKey)?.length === MAX_SHOWN_SELLERS
  try {
    await hideItems<NewProducts>(cache, {
      queryKey,
      isHidden: (one) => one.sellerId === sellerId,
      send: () => call(dismissNewProducts, { id: sellerId, until: publishedAt }),
    })
    // another seller may wait
    if (wasFull) await cache.invalidateQueries({ queryKey })
  } catch (error) {
    toastFailure(error, 'We couldn’t dismiss this. Please try again.')
  }
}
