import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListOptions } from './list.client.ts'

export function useList<Item>(options: ListOptions<Item[]> & { refetchOnMount?: 'always' | false }) {
  const { data, isPending, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(options)
  return {
    items: data?.pages.flatMap(({ items }) => items) ?? [],
    total: data?.pages.at(-1)?.total ?? 0,
    isPending,
    hasError: isError && !data,
    isFetching,
    refetch: () => void refetch(),
    isReadingMore: isFetchingNextPage,
    readMore: hasNextPage ? () => fetchNextPage({ throwOnError: true }) : null,
  }
}
