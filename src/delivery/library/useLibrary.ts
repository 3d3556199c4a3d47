import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { call } from '../../kit/call.client.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { inOrder, keyOf, queryClient } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { useList } from '../../kit/query/useList.ts'
import { useStore } from '../../kit/store.client.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { dropRevoked, keptThings, loadKept, storedCourseCount } from './kept.client.ts'
import { archiveOwned, unarchiveOwned } from './library.contract.ts'
import { listLibrary, type Owned } from './owned.contract.ts'
import { countOpenable } from './openable.rules.ts'
import { askedOf, type LibraryFilters, readLibraryFilters } from './filters.rules.ts'
import { pickOwned } from './library.rules.ts'

const queryOf = (filters: LibraryFilters) => pagesOf(listLibrary, askedOf(filters))
const EVERYTHING = readLibraryFilters(new URLSearchParams())

export const libraryQuery = queryOf(EVERYTHING)

/**
 * Loads the library. The server searches and sorts until the browser has loaded all of it. Stored files come from this
 * device, even offline.
 */
export function useLibrary(filters: LibraryFilters) {
  const all = useList({ ...libraryQuery, refetchOnMount: useAlways() })
  const kept = useKept()
  const courses = useStore(storedCourseCount)
  const { show } = filters
  const q = useSettled(filters.q, 150)
  const isWhole = show !== 'archive' && !all.isPending && !all.hasError && all.readMore === null
  const asked = useList(isWhole || show === 'kept' ? libraryQuery : queryOf({ ...filters, q }))
  const source = show === 'kept' ? kept.map(({ owned }) => owned) : asked.items
  const things = useMemo(
    // an entry that moved up between two pages is in both
    () => [...new Map(source.map((owned) => [owned.id, owned])).values()],
    [source],
  )
  const shown = isWhole || show === 'kept' ? pickOwned(things, filters) : things
  return {
    ...asked,
    things: shown,
    kept,
    /** Null until the device was read. */
    openable: courses === null ? null : countOpenable(kept, courses),
    total: isWhole || show === 'kept' ? shown.length : asked.total,
    count: all.isPending || all.hasError ? null : all.total,
    isPending: show !== 'kept' && asked.isPending,
    hasError: show !== 'kept' && asked.hasError,
    readMore: show === 'kept' ? null : asked.readMore,
  }
}

/** Stored files of this device. Checks once per visit for revoked access. */
export function useKept() {
  const { user } = useSession()
  const userId = user?.id
  useEffect(() => {
    if (!userId) return
    const load = () => loadKept(userId)
    void load()
    if (navigator.onLine) dropRevoked().then(load, () => undefined)
  }, [userId])
  return useStore(keptThings)
}

// the queries of single files have longer keys than the lists
const lists = {
  queryKey: keyOf(listLibrary, {}),
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => typeof queryKey[1] !== 'string',
}

export const refreshLibrary = () => queryClient.invalidateQueries(lists)

type Pages = { pages: { items: Owned[]; total: number; after: string | null }[] }

export function useArchive() {
  const cache = useQueryClient()
  const put = async (owned: Owned, isArchived: boolean): Promise<boolean> => {
    await cache.cancelQueries(lists)
    cache.setQueriesData<Pages>(lists, (list) => list && takeOut(list, owned.id))
    try {
      await inOrder('library', () => call(isArchived ? archiveOwned : unarchiveOwned, { id: owned.id }))
      // the target list is refetched when it is shown
      void cache.invalidateQueries({ ...lists, refetchType: 'none' })
      return true
    } catch (error) {
      toastFailure(error, isArchived ? 'It couldn’t be archived.' : 'It couldn’t be put back.')
      void refreshLibrary()
      return false
    }
  }
  return async (owned: Owned, isArchived: boolean) => {
    if (!(await put(owned, isArchived))) return
    toast({
      title: isArchived ? 'Archived' : 'Back in your library',
      description: owned.title,
      action: {
        label: 'Undo',
        hint: isArchived ? 'You’ll find it in the archive of your library' : 'Archive it again to undo',
        run: () => void put(owned, !isArchived).then(refreshLibrary),
      },
    })
  }
}

function takeOut(list: Pages, id: string): Pages {
  const isIn = list.pages.some(({ items }) => items.some((owned) => owned.id === id))
  if (!isIn) return list
  const pages = list.pages.map(({ items, total, after }) => ({
    items: items.filter((owned) => owned.id !== id),
    total: total - 1,
    after,
  }))
  return { ...list, pages }
}
