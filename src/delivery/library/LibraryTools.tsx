import { Search } from 'lucide-react'
import { plural } from '../../localisation/plural.rules.ts'
import { Select } from '../../ui/form/Select.tsx'
import { LIBRARY_SORTS, type LibraryFilters, type LibrarySort, SHOWS, SORT_NAMES } from './filters.rules.ts'

const sorts = LIBRARY_SORTS.map((sort) => ({ value: sort, label: SORT_NAMES[sort] }))

type LibraryToolsProps = {
  filters: LibraryFilters
  /** Null while it loads. */
  total: number | null
  onAsk: (change: Partial<LibraryFilters>) => void
}

export const LibraryTools = ({ filters, total, onAsk }: LibraryToolsProps) => (
  <>
    <div className="affix" role="search" aria-label="Your library">
      <Search className="icon" aria-hidden />
      <input
        className="input"
        type="search"
        placeholder="Search your library"
        aria-label="Search your library"
        autoComplete="off"
        maxLength={200}
        value={filters.q}
        onChange={(event) => onAsk({ q: event.target.value })}
      />
    </div>
    <div className="chips" role="group" aria-label="Filter">
      {SHOWS.map(({ show, name }) => (
        <button
          key={show}
          type="button"
          className="chip"
          aria-pressed={filters.show === show}
          onClick={() => onAsk({ show })}
        >
          {name}
        </button>
      ))}
    </div>
    <div className="row row--between">
      <p className="muted small num" role="status">
        {total === null ? '' : plural(total, 'thing')}
      </p>
      <Select
        className="sort"
        aria-label="Sort by"
        options={sorts}
        value={filters.sort}
        onChange={(event) => onAsk({ sort: event.target.value as LibrarySort })}
      />
    </div>
  </>
)
