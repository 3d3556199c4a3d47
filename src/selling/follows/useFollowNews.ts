import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { hideItems } from '../../kit/query/hideItems.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { dismissFollowNews, type FollowNews, listFollowNews } from './followNews.contract.ts'

export const followNewsQuery = query(listFollowNews, {})

export function useFollowNews() {
  const cache = useQueryClient()
  const { data: news = [], isLoading } = useQuery({ ...followNewsQuery, refetchOnMount: useAlways() })

  /** Hides the news of a seller at once. Shows them again if the call fails. */
  async function dismiss({ sellerId, publishedAt }: FollowNews) {
    const isHidden = (one: FollowNews) => one.sellerId === sellerId
    const send = () => call(dismissFollowNews, { id: sellerId, until: publishedAt })
    try {
      await hideItems(cache, { queryKey: followNewsQuery.queryKey, isHidden, send })
    } catch (error) {
      toastFailure(error, 'We couldn’t dismiss this. Please try again.')
    }
  }

  return { news, isLoading, dismiss }
}
