import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Select } from '../ui/form/Select.tsx'
import { OWN_SORTS, type OwnSort, STATUSES, type Status } from './selling.contract.ts'

const STATUS_NAMES: Record<Status, string> = {
  listed: 'Listed',
  incomplete: 'Without a file',
  draft: 'Drafts',
  withdrawn: 'Withdrawn',
  stopped: 'Stopped by the store',
}
const SORT_NAMES: Record<OwnSort, string> = {
  newest: 'Newest first',
  sales: 'Most sales',
  views: 'Most views',
  rating: 'Best rated',
  price: 'Highest price',
  stock: 'Lowest stock',
  title: 'Title',
}
const sorts = OWN_SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))

export type OwnQuery = { q?: string; status?: string; sort?: string }

type OwnFiltersProps = {
  q: string
  status: Status | undefined
  sort: OwnSort | undefined
  onAsk: (change: OwnQuery) => void
}

export function OwnFilters({ q, status, sort, onAsk }: OwnFiltersProps) {
  const sortId = useId()
  return (
    <>
      <OwnSearch q={q} onAsk={(typed) => onAsk({ q: typed })} />
      <div className="filters">
        <div className="chips" role="group" aria-label="Status">
          {[undefined, ...STATUSES].map((one) => (
            <button
              key={one ?? 'all'}
              type="button"
              className="chip"
              aria-pressed={one === status}
              onClick={() => onAsk({ status: one ?? '' })}
            >
              {one ? STATUS_NAMES[one] : 'All'}
            </button>
          ))}
        </div>
        <div className="row row--nowrap gap-2">
          <label className="muted small" htmlFor={sortId}>
            Sort by
          </label>
          <Select
            id={sortId}
            className="sort"
            options={sorts}
            value={sort ?? 'newest'}
            onChange={({ target }) => onAsk({ sort: target.value === 'newest' ? '' : target.value })}
          />
        </div>
      </div>
    </>
  )
}

const DEBOUNCE_MS = 300

function OwnSearch({ q, onAsk }: { q: string; onAsk: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const sent = useRef(q)
  // shows a search that changed elsewhere, for example by Show all
  useEffect(() => {
    if (q !== sent.current) setTyped(q)
    sent.current = q
  }, [q])
  const send = () => {
    sent.current = typed.trim()
    onAsk(sent.current)
  }
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(send, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form role="search" onSubmit={submit}>
      <label className="affix">
        <Search className="icon" aria-hidden />
        <input
          className="input"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={200}
          aria-label="Search my products"
          placeholder="Search my products…"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </form>
  )
}
