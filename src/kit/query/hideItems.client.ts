import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Removes items from a cached list, then runs the call. If it fails, shows the list again and passes the error on. */
export async function hideItems<T>(
  cache: QueryClient,
  { queryKey, isHidden, send }: { queryKey: QueryKey; isHidden: (item: T) => boolean; send: () => Promise<unknown> },
) {
  // an earlier read would restore the items
  await cache.cancelQueries({ queryKey })
  const shown = cache.getQueryData<T[]>(queryKey)
  cache.setQueryData<T[]>(queryKey, (list) => list?.filter((item) => !isHidden(item)))
  try {
    await send()
  } catch (error) {
    cache.setQueryData(queryKey, shown)
    // another call may have removed other items meanwhile
    void cache.invalidateQueries({ queryKey })
    throw error
  }
}
