import { ChevronLeft } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { isMissing } from '../kit/call.client.ts'
import { query } from '../kit/query/query.client.ts'
import { Link, LinkButton } from '../ui/Link.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { SellerTabs } from './SellerTabs.tsx'
import { getOwnProduct } from './selling.contract.ts'

const waiting = (
  <div className="stack gap-4" role="status" aria-label="Loading the product">
    <Skeleton height="2.5rem" width="60%" />
    <Skeleton height="12rem" />
    <Skeleton height="20rem" />
  </div>
)
const EditForm = lazyPart(() => import('./EditForm.tsx'), 'EditForm', waiting)
const VariantGoods = lazyPart(() => import('./variants/VariantGoods.tsx'), 'VariantGoods', <Skeleton height="20rem" />)
const TakenDown = lazyPart(() => import('../moderation/TakenDown.tsx'), 'TakenDown')
const Question = lazyPart(() => import('../moderation/Question.tsx'), 'Question')

const NEW = 'new'

export function EditProductPage({ id }: { id: string }) {
  const isNew = id === NEW
  const { data, isPending, error, refetch } = useQuery({
    ...query(getOwnProduct, { id }),
    enabled: !isNew,
    refetchOnMount: 'always',
  })
  return (
    <div className="section gap-4">
      <SellerTabs />
      <Link href="/my-products" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        My Products
      </Link>
      {data?.isTakenDown && <TakenDown productId={id} />}
      {data?.asked && <Question productId={id} asked={data.asked} onSent={() => void refetch()} />}
      {data?.variantOf ? (
        <VariantGoods product={data} variantOf={data.variantOf} />
      ) : isNew || data ? (
        <EditForm key={id} product={data ?? null} />
      ) : isPending ? (
        waiting
      ) : isMissing(error) ? (
        <div className="card">
          <EmptyState
            isPage
            scene="search"
            title="Product not found"
            action={<LinkButton href="/my-products">My Products</LinkButton>}
          >
            It isn’t one of yours, or you deleted it.
          </EmptyState>
        </div>
      ) : (
        <ErrorState title="Couldn’t load the product" onRetry={() => void refetch()} />
      )}
    </div>
  )
}
