import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { call, isMissing } from '../../kit/call.client.ts'
import type { Reply } from '../../kit/contract.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { LinkButton } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { settleReturn } from '../checkout.contract.ts'
import { notifyCanceled, notifyEnding, notifyUnknown } from '../pay.client.ts'
import { isAskedAgain, readReturn } from './return.rules.ts'
import { useFreshOrders } from '../useFreshOrders.ts'

const PAUSE_MS = 2000
const MANY_ANSWERS = 4

export function ReturnPage() {
  const [search] = useSearchParams()
  const back = readReturn(search)
  const { asked, error, retry } = useReturn(search.toString())
  if (!back || isMissing(error)) return <Missing />
  if (error)
    return (
      <>
        <PageTitle title="Payment" className="sr" />
        <ErrorState title="We couldn’t confirm your payment yet" onRetry={retry} />
      </>
    )
  return (
    <div className="empty" role="status">
      <span className="spinner" aria-hidden />
      <PageTitle title="Confirming your payment…" className="empty__title" />
      <p>
        {asked < MANY_ANSWERS
          ? 'This takes a moment. You see your order next.'
          : 'This takes longer than usual. You can leave this page: your order completes by itself.'}
      </p>
    </div>
  )
}

const Missing = () => (
  <div className="card">
    <EmptyState
      isPage
      scene="search"
      title="Payment not found"
      action={
        <LinkButton tone="primary" href="/orders">
          View your orders
        </LinkButton>
      }
    >
      This address belongs to no payment of yours.
    </EmptyState>
  </div>
)

function useReturn(search: string) {
  const [asked, setAsked] = useState(0)
  const [error, setError] = useState<unknown>()
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const refresh = useFreshOrders()

  const lead = useEffectEvent(async ({ status, orderId, order }: Reply<typeof settleReturn>, isCanceled: boolean) => {
    cache.setQueryData(keyOf(getOrder, { id: orderId }), order)
    await refresh()
    if (status === 'WAITING') notifyUnknown()
    else if (status === 'ENDED') notifyCanceled(order)
    else await notifyEnding(status, order)
    const isInCart = isCanceled && order.status === 'failed' && order.source === 'cart'
    navigate(isInCart ? '/cart' : `/orders/${orderId}`, { replace: true })
  })

  useEffect(() => {
    const back = readReturn(new URLSearchParams(search))
    if (!back || error) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isHere = true
    async function ask(count: number) {
      try {
        const answer = await call(settleReturn, back!)
        if (!isHere) return
        setAsked(count)
        if (isAskedAgain(answer.status, count)) timer = setTimeout(() => void ask(count + 1), PAUSE_MS)
        else await lead(answer, back!.canceled ?? false)
      } catch (failure) {
        if (isHere) setError(failure)
      }
    }
    void ask(1)
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [search, error])
  return { asked, error, retry: () => setError(undefined) }
}
