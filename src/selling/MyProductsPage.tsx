import { FileDown, FileUp, Plus, Search } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { startDownload } from '../kit/download/startDownload.client.ts'
import { pagesOf } from '../kit/query/list.client.ts'
import { useList } from '../kit/query/useList.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { lazyDialog, lazyPart } from '../ui/lazyPart.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { useDialog } from '../ui/useDialog.ts'
import { SellerTabs } from './SellerTabs.tsx'
import { EXPORT_PATH } from './csv/csv.contract.ts'
import { listOwnProducts, OWN_SORTS, type OwnProduct, type OwnSort, STATUSES, type Status } from './selling.contract.ts'

const AddProductDialog = lazyDialog(() => import('../catalogue/add-product/AddProductDialog.tsx'), 'AddProductDialog')
const ImportDialog = lazyDialog(() => import('./csv/ImportDialog.tsx'), 'ImportDialog')
const EditProductPage = lazyPart(() => import('./EditProductPage.tsx'), 'EditProductPage', <Skeleton height="24rem" />)
const OwnProducts = lazyPart(() => import('./OwnProducts.tsx'), 'OwnProducts', <Waiting />)

const ICON = { className: 'icon', 'aria-hidden': true } as const

const STEP = 24

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

export const MyProductsPage = ({ id }: { id: string }) => (id ? <EditProductPage id={id} /> : <OwnList />)

function OwnList() {
  const [search, setSearch] = useSearchParams()
  const q = (search.get('q') ?? '').trim().slice(0, 200)
  const status = STATUSES.find((known) => known === search.get('status'))
  const sort = OWN_SORTS.find((known) => known === search.get('sort'))
  // another window may have added a product or its file
  const list = useList<OwnProduct>({
    ...pagesOf(listOwnProducts, { limit: STEP, q: q || undefined, status, sort }),
    refetchOnMount: 'always',
  })
  const { items: products, total, isPending, hasError, refetch } = list
  const adding = useDialog()
  const importing = useDialog()
  const sortId = useId()
  useEffect(() => void OwnProducts.preload(), [])
  const isAsking = q !== '' || status !== undefined
  const isEmpty = !isPending && !hasError && products.length === 0
  const ask = (change: { q?: string; status?: string; sort?: string }) => {
    const next = { q, status, sort, ...change }
    const given = Object.entries(next).filter(([, value]) => value) as [string, string][]
    setSearch(new URLSearchParams(given), { replace: true })
  }
  const plus = <Plus className="icon" aria-hidden />
  return (
    <div className="section gap-4">
      <PageHead
        title="My Products"
        about={isPending ? 'Looking…' : hasError ? undefined : plural(total, 'product')}
        action={
          (!isEmpty || isAsking) && (
            <div className="row">
              <Button tone="primary" icon={plus} onClick={adding.open}>
                Add Product
              </Button>
              <LinkButton href="/my-products/new">New draft</LinkButton>
              <Button tone="ghost" icon={<FileUp {...ICON} />} aria-label="Import products" onClick={importing.open}>
                Import
              </Button>
              <Button
                tone="ghost"
                icon={<FileDown {...ICON} />}
                aria-label="Export products"
                onClick={() => startDownload(EXPORT_PATH)}
              >
                Export
              </Button>
            </div>
          )
        }
      />
      <SellerTabs />
      {(!isEmpty || isAsking) && (
        <>
          <OwnSearch q={q} onAsk={(typed) => ask({ q: typed })} />
          <div className="chips" role="group" aria-label="Status">
            {[undefined, ...STATUSES].map((one) => (
              <button
                key={one ?? 'all'}
                type="button"
                className="chip"
                aria-pressed={one === status}
                onClick={() => ask({ status: one ?? '' })}
              >
                {one ? STATUS_NAMES[one] : 'All'}
              </button>
            ))}
          </div>
          <div className="row row--nowrap gap-2 self-start">
            <label className="muted small" htmlFor={sortId}>
              Sort by
            </label>
            <Select
              id={sortId}
              className="sort"
              options={sorts}
              value={sort ?? 'newest'}
              onChange={({ target }) => ask({ sort: target.value === 'newest' ? '' : target.value })}
            />
          </div>
        </>
      )}
      {isPending ? (
        <Waiting />
      ) : hasError ? (
        <ErrorState title="Couldn’t load your products" onRetry={refetch} />
      ) : isEmpty ? (
        <div className="card">
          {isAsking ? (
            <EmptyState
              scene="search"
              title="No products found"
              action={<Button onClick={() => ask({ q: '', status: '' })}>Show all</Button>}
            >
              {q ? `None of your titles or file names has “${q}”.` : 'None of your products has this status.'}
            </EmptyState>
          ) : (
            <EmptyState
              scene="shelf"
              title="No products yet"
              action={
                <>
                  <Button tone="primary" icon={plus} onClick={adding.open}>
                    Add Product
                  </Button>
                  <Button onClick={importing.open}>Import products</Button>
                </>
              }
            >
              What you add shows here, on sale or not.
            </EmptyState>
          )}
        </div>
      ) : (
        <OwnProducts key={search.toString()} list={list} step={STEP} />
      )}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
      {importing.isWanted && <ImportDialog {...importing.props} />}
    </div>
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

function Waiting() {
  return (
    <ul className="stack" aria-busy>
      {[1, 2, 3].map((n) => (
        <li key={n} className="card" aria-hidden>
          <Skeleton height="3rem" />
        </li>
      ))}
    </ul>
  )
}
