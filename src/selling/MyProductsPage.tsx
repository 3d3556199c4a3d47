import { FileDown, FileUp, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Unfinished } from '../catalogue/add-product/unfinished.contract.ts'
import { startDownload } from '../kit/download/startDownload.client.ts'
import { pagesOf } from '../kit/query/list.client.ts'
import { useList } from '../kit/query/useList.ts'
import { plural } from '../localisation/plural.rules.ts'
import { Button } from '../ui/Button.tsx'
import { lazyDialog, lazyPart } from '../ui/lazyPart.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { useDialog } from '../ui/useDialog.ts'
import { OwnFilters, type OwnQuery } from './OwnFilters.tsx'
import { SellerPageWaiting, SellerTabs } from './SellerTabs.tsx'
import { EXPORT_PATH } from './csv/csv.contract.ts'
import { listOwnProducts, OWN_SORTS, type OwnProduct, STATUSES } from './selling.contract.ts'

const AddProductDialog = lazyDialog(() => import('../catalogue/add-product/AddProductDialog.tsx'), 'AddProductDialog')
const ImportDialog = lazyDialog(() => import('./csv/ImportDialog.tsx'), 'ImportDialog')
const EditProductPage = lazyPart(
  () => import('./EditProductPage.tsx'),
  'EditProductPage',
  <SellerPageWaiting height="24rem" />,
)
const UnfinishedList = lazyPart(() => import('../catalogue/add-product/UnfinishedList.tsx'), 'UnfinishedList')
const OwnProducts = lazyPart(() => import('./OwnProducts.tsx'), 'OwnProducts', <Waiting />)

const ICON = { className: 'icon', 'aria-hidden': true } as const
const PLUS = <Plus className="icon" aria-hidden />

const STEP = 24

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
  const [continued, setContinued] = useState<Unfinished | null>(null)
  useEffect(() => void OwnProducts.preload(), [])
  const isAsking = q !== '' || status !== undefined
  const isEmpty = !isPending && !hasError && products.length === 0
  const ask = (change: OwnQuery) => {
    const next = { q, status, sort, ...change }
    const given = Object.entries(next).filter(([, value]) => value) as [string, string][]
    setSearch(new URLSearchParams(given), { replace: true })
  }
  return (
    <div className="section gap-4">
      <SellerTabs />
      <PageHead
        title="My Products"
        about={isPending ? 'Looking…' : hasError ? undefined : plural(total, 'product')}
        action={(!isEmpty || isAsking) && <OwnActions onAdd={adding.open} onImport={importing.open} />}
      />
      {(!isEmpty || isAsking) && <OwnFilters q={q} status={status} sort={sort} onAsk={ask} />}
      {q === '' && (!status || status === 'draft') && <UnfinishedList onContinue={setContinued} />}
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
            <NoProducts onAdd={adding.open} onImport={importing.open} />
          )}
        </div>
      ) : (
        <OwnProducts key={search.toString()} list={list} step={STEP} />
      )}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
      {continued && (
        <AddProductDialog key={continued.id} isOpen unfinished={continued} onClose={() => setContinued(null)} />
      )}
      {importing.isWanted && <ImportDialog {...importing.props} />}
    </div>
  )
}

type OwnActionsProps = { onAdd: () => void; onImport: () => void }

const OwnActions = ({ onAdd, onImport }: OwnActionsProps) => (
  <div className="row">
    <Button tone="primary" icon={PLUS} onClick={onAdd}>
      Add Product
    </Button>
    <LinkButton href="/my-products/new">New draft</LinkButton>
    <Button tone="ghost" icon={<FileUp {...ICON} />} aria-label="Import products" onClick={onImport}>
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

const NoProducts = ({ onAdd, onImport }: OwnActionsProps) => (
  <EmptyState
    scene="shelf"
    title="No products yet"
    action={
      <>
        <Button tone="primary" icon={PLUS} onClick={onAdd}>
          Add Product
        </Button>
        <Button onClick={onImport}>Import products</Button>
      </>
    }
  >
    What you add shows here, on sale or not.
  </EmptyState>
)

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
