import './gift.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Gift as GiftIcon } from 'lucide-react'
import { useLocation } from 'wouter'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { claimGift, lookAtGift, type ShownGift } from '../../delivery/gifts/gifts.contract.ts'
import { refreshLibrary } from '../../delivery/library/useLibrary.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call, isMissing } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { describeGift, OVER } from './gift.texts.rules.ts'

export function GiftPage({ id: token }: { id: string }) {
  const { data, error, refetch } = useQuery({
    // the key is not the path, because stored responses must not contain the link
    queryKey: ['gift', token],
    queryFn: () => call(lookAtGift, { token }),
    gcTime: 0,
  })
  if (isMissing(error) || (error && (error as { status?: number }).status === 400)) return <Unknown />
  if (error && !data)
    return (
      <>
        <PageTitle title="A gift" className="sr" />
        <ErrorState title="Couldn’t load the gift" onRetry={() => void refetch()} />
      </>
    )
  if (!data)
    return (
      <>
        <PageTitle title="A gift" className="sr" />
        <Skeleton height="20rem" />
      </>
    )
  return <Shown gift={data} token={token} refresh={() => void refetch()} />
}

function Shown({ gift, token, refresh }: { gift: ShownGift; token: string; refresh: () => void }) {
  const { productId, title, categoryId, imageUrl, from, toName, note, state, isOwn, orderId } = gift
  return (
    <div className="section gap-5">
      <PageTitle title={`${from} sent ${toName || 'you'} a gift`} />
      <article className="ticket ticket--row hero on-hero claim">
        <div className="ticket__part">
          <ProductImage product={{ id: productId, title, categoryId, imageUrl }} sizes="15rem" />
          {note && <blockquote>“{note}”</blockquote>}
        </div>
        <div className="ticket__part">
          <div className="stack gap-1">
            <h2>{title}</h2>
            <p>{describeGift(gift)}</p>
          </div>
          {isOwn ? (
            <Told title="You are giving this away" text="Only another account can claim it.">
              <LinkButton tone="on-hero" href={`/orders/${orderId}`}>
                Open your order
              </LinkButton>
            </Told>
          ) : state === 'open' ? (
            <Claim token={token} title={title} onRefused={refresh} />
          ) : state === 'claimed' && orderId ? (
            <Told title="It is yours" text="You have claimed this gift.">
              <LinkButton tone="on-hero" href={`/orders/${orderId}`}>
                Open it
              </LinkButton>
            </Told>
          ) : (
            <Told {...OVER[state]} />
          )}
        </div>
      </article>
    </div>
  )
}

const Told = ({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) => (
  <div className="stack gap-2" role="status">
    <strong>{title}</strong>
    <p>{text}</p>
    {children}
  </div>
)

function Claim({ token, title, onRefused }: { token: string; title: string; onRefused: () => void }) {
  const [, navigate] = useLocation()
  const readOrders = useFreshOrders()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(claimGift, { token }),
    onSuccess: async ({ orderId }) => {
      void refreshLibrary()
      await readOrders()
      toast({ title: 'It is yours', description: title, tone: 'good' })
      navigate(`/orders/${orderId}`, { replace: true })
    },
    onError: (error) => {
      toastFailure(error, reasonOf(error, isConflict) ?? 'We couldn’t give you the gift. Please try again.')
      onRefused()
    },
  })
  return (
    <>
      <Button
        tone="on-hero"
        isLarge
        icon={<GiftIcon className="icon" aria-hidden />}
        isBusy={isPending}
        onClick={() => mutate()}
      >
        Claim your gift
      </Button>
      <p className="small">It goes into your library at once.</p>
    </>
  )
}

const Unknown = () => (
  <div className="card">
    <EmptyState
      isPage
      scene="search"
      title="Gift not found"
      action={
        <LinkButton tone="primary" href="/">
          To the shop
        </LinkButton>
      }
    >
      This link doesn’t work, or a newer one took its place. Ask the person who sent it.
    </EmptyState>
  </div>
)
