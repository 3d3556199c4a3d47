import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { BrowseProducts } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useReadMore } from '../../ui/useReadMore.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { bytesOfKept } from './kept.rules.ts'
import { describeOpenable } from './openable.rules.ts'
import { type LibraryFilters, libraryPath, readLibraryFilters } from './filters.rules.ts'
import type { Owned } from './owned.contract.ts'
import { LibraryRow, OFFLINE_REASON } from './LibraryRow.tsx'
import { LibraryTools } from './LibraryTools.tsx'
import { OwnedTabs } from './OwnedTabs.tsx'
import { refreshLibrary, useArchive, useLibrary } from './useLibrary.ts'
import './library.css'

const RevealSheet = lazyDialog(() => import('../codes/RevealSheet.tsx'), 'RevealSheet')
const LicenseSheet = lazyDialog(() => import('../licenses/LicenseSheet.tsx'), 'LicenseSheet')
const LibrarySheet = lazyDialog(() => import('./LibrarySheet.tsx'), 'LibrarySheet')

type LibraryPageProps = {
  /** Shown above the unfiltered list. */
  notice?: ReactNode
  /** True while the notice loads. The list waits for the notice, because a late notice would move the list. */
  isWaiting?: boolean
}

export function LibraryPage({ notice, isWaiting = false }: LibraryPageProps) {
  const [, navigate] = useLocation()
  const search = useSearch()
  const filters = useMemo(() => readLibraryFilters(new URLSearchParams(search)), [search])
  const shownFilters = useDeferredValue(filters)
  const library = useLibrary(shownFilters)
  const archive = useArchive()
  const isOnline = useOnline()
  const [more, setMore] = useState<Owned | null>(null)
  const [opened, setOpened] = useState<Owned | null>(null)
  const sheet = opened && {
    ...{ orderId: opened.orderId, lineId: opened.id, title: opened.title },
    onClose: () => setOpened(null),
    onRefused: () => void refreshLibrary(),
  }
  const { list, readOn } = useReadMore(library.readMore, (error) =>
    toastFailure(error, 'Failed to load more. Please try again.'),
  )
  const ask = (change: Partial<LibraryFilters>) => navigate(libraryPath({ ...filters, ...change }), { replace: true })
  const keptBytes = bytesOfKept(library.kept)
  const left = library.total - library.things.length
  const about =
    library.count !== null &&
    [`${plural(library.count, 'thing')} you own`, keptBytes > 0 && `${formatBytes(keptBytes)} kept on this device`]
      .filter(Boolean)
      .join(' · ')
  const isFiltered = libraryPath(filters) !== libraryPath({ sort: filters.sort })
  return (
    <div className="section gap-5">
      <PageHead title="Library" about={about || undefined} />
      <OwnedTabs here="Library" />
      <LibraryTools
        filters={filters}
        total={library.isPending || library.hasError ? null : library.total}
        onAsk={ask}
      />
      {!isOnline && (
        <p id={OFFLINE_REASON} className="small">
          {describeOpenable(library.openable)}
        </p>
      )}
      {!isFiltered && !library.isPending && !isWaiting && notice}
      {library.hasError ? (
        <ErrorState title="Couldn’t load your library" onRetry={library.refetch} />
      ) : library.isPending || isWaiting ? (
        <LibrarySkeleton />
      ) : library.things.length === 0 ? (
        <NothingHere filters={shownFilters} onClear={isFiltered ? () => ask({ q: '', show: 'all' }) : undefined} />
      ) : (
        <ul ref={list} className="lib">
          {library.things.map((owned) => (
            <LibraryRow
              key={owned.id}
              owned={owned}
              kept={library.kept.find(({ owned: { id } }) => id === owned.id)}
              onRefused={() => void refreshLibrary()}
              onOpen={() => setOpened(owned)}
              onMore={() => setMore(owned)}
            />
          ))}
        </ul>
      )}
      {library.readMore && (
        <div className="row row--center">
          <Button isBusy={library.isReadingMore} onClick={readOn}>
            Load more
          </Button>
          <span className="muted small num" role="status">
            {left > 0 && `${left} more`}
          </span>
        </div>
      )}
      {sheet && opened.kind === 'code' && <RevealSheet {...sheet} count={opened.quantity} />}
      {sheet && opened.kind === 'license' && <LicenseSheet {...sheet} />}
      {more && (
        <LibrarySheet
          owned={more}
          onClose={() => setMore(null)}
          onArchive={() => {
            setMore(null)
            void archive(more, !more.isArchived)
          }}
        />
      )}
    </div>
  )
}

function NothingHere({ filters, onClear }: { filters: LibraryFilters; onClear: (() => void) | undefined }) {
  if (!onClear)
    return (
      <div className="card">
        <EmptyState scene="shelf" title="Nothing here yet" action={<BrowseProducts />}>
          Files, codes and keys appear here the moment they are paid, on every device you sign in on.
        </EmptyState>
      </div>
    )
  const { q, show } = filters
  const [title, text]: [string, string] = q.trim()
    ? ['Nothing found', 'Try other words, or look at everything you own.']
    : show === 'kept'
      ? ['Nothing on this device', 'Keep a file on this device to open it without a connection.']
      : show === 'archive'
        ? ['The archive is empty', 'Archive things that you rarely need. You keep them.']
        : ['Nothing of this kind', 'What you buy appears here as soon as it is paid.']
  return (
    <div className="card">
      <EmptyState scene="search" title={title} action={<Button onClick={onClear}>Show everything</Button>}>
        {text}
      </EmptyState>
    </div>
  )
}

const LibrarySkeleton = () => (
  <div className="lib" role="status" aria-label="Loading your library">
    {[0, 1, 2, 3].map((i) => (
      <Skeleton key={i} height="5.5rem" />
    ))}
  </div>
)
