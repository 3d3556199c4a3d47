export const LIBRARY_SORTS = ['newest', 'title', 'opened'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]

export const LIBRARY_KINDS = ['file', 'code', 'license', 'course'] as const
export type LibraryKind = (typeof LIBRARY_KINDS)[number]

export type LibraryShow = 'all' | LibraryKind | 'kept' | 'archive'
export type LibraryFilters = { q: string; show: LibraryShow; sort: LibrarySort }

export const SHOWS: { show: LibraryShow; name: string }[] = [
  { show: 'all', name: 'All' },
  { show: 'file', name: 'Files' },
  { show: 'code', name: 'Codes' },
  { show: 'license', name: 'Licence keys' },
  { show: 'course', name: 'Courses' },
  { show: 'kept', name: 'On this device' },
  { show: 'archive', name: 'Archive' },
]
export const SORT_NAMES: Record<LibrarySort, string> = { newest: 'Newest', title: 'Title', opened: 'Last opened' }

const ALL: LibraryFilters = { q: '', show: 'all', sort: 'newest' }

export const readLibraryFilters = (search: URLSearchParams): LibraryFilters => ({
  q: (search.get('q') ?? '').slice(0, 200),
  show: SHOWS.find(({ show }) => show === search.get('show'))?.show ?? ALL.show,
  sort: LIBRARY_SORTS.find((sort) => sort === search.get('sort')) ?? ALL.sort,
})

export function libraryPath(filters: Partial<LibraryFilters>): string {
  const { q, show, sort } = { ...ALL, ...filters }
  const search = new URLSearchParams()
  if (q) search.set('q', q)
  if (show !== ALL.show) search.set('show', show)
  if (sort !== ALL.sort) search.set('sort', sort)
  const text = search.toString()
  return text ? `/library?${text}` : '/library'
}

/** Query parameters for the server. It does not know which files this device stores. */
export const askedOf = ({ q, show, sort }: LibraryFilters) => ({
  limit: 50,
  sort: sort === ALL.sort ? undefined : sort,
  kind: LIBRARY_KINDS.find((kind) => kind === show),
  q: q.trim() || undefined,
  archived: show === 'archive' ? ('yes' as const) : undefined,
})
