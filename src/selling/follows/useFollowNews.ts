import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { dismissFollowNews, type FollowNews, listFollowNews } from './follows.contract.ts'

export const followNewsQuery = query(listFollowNews, {})
const key = keyOf(listFollowNews, {})

export function useFollowNews() {
  const cache = useQueryClient()
  const { data: news = [], isLoading } = useQuery({ ...followNewsQuery, refetchOnMount: useAlways() })

  /** Hides the news of a seller at once. Shows them again if the call fails. */
  async function dismiss({ sellerId, publishedAt }: FollowNews) {
    await cache.cancelQueries({ queryKey: key })
    const shown = cache.getQueryData<FollowNews[]>(key)
    cache.setQueryData<FollowNews[]>(key, (list) => list?.filter((one) => one.sellerId !== sellerId))
    try {
      await call(dismissFollowNews, { id: sellerId, until: publishedAt })
    } catch (error) {
      cache.setQueryData(key, shown)
      toastFailure(error, 'We couldn’t dismiss this. Please try again.')
    }
  }

  return { news, isLoading, dismiss }
}
