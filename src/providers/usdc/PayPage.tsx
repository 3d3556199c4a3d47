import './pay.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, ChevronLeft, CircleAlert, Clock, Copy, type LucideIcon, Wallet, X } from 'lucide-react'
import { type ComponentProps, useEffect } from 'react'
import { isMissing } from '../../kit/call.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead, PageTitle } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { describeTransfer, isOver, timeLeft } from './pay.rules.ts'
import { getTransfer, type TransferPayment } from './transfers.contract.ts'

const QrCode = lazyPart(() => import('../../ui/QrCode.tsx'), 'QrCode', <Skeleton height="12rem" />)
const RefundAddress = lazyPart(() => import('./RefundAddress.tsx'), 'RefundAddress')

const LOOK_EVERY_MS = 3000

export function PayPage({ id }: { id: string }) {
  const cache = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...query(getTransfer, { orderId: id }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LOOK_EVERY_MS),
  })
  const state = data?.state
  useEffect(() => {
    if (state === 'paid') void cache.invalidateQueries({ queryKey: ['/api/orders'] })
  }, [state, cache])
  return (
    <div className="section gap-4">
      <Link href={`/orders/${id}`} className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        Your order
      </Link>
      {data ? (
        <>
          <PageHead title="Payment" about={`Order #${id.slice(-8)}, ${data.amount} USDC`} />
          <Payment payment={data} />
        </>
      ) : isMissing(error) || (error?.message ?? '').startsWith('400') ? (
        <div className="card">
          <EmptyState
            scene="torn"
            title="Payment not found"
            isPage
            action={<LinkButton href="/orders">Your orders</LinkButton>}
          >
            None of your orders is paid here.
          </EmptyState>
        </div>
      ) : error ? (
        <>
          <PageTitle title="Payment" className="sr" />
          <ErrorState title="Couldn’t load this payment" onRetry={() => void refetch()} />
        </>
      ) : (
        <>
          <PageTitle title="Payment" className="sr" />
          <Skeleton height="20rem" />
        </>
      )}
    </div>
  )
}

function Payment({ payment }: { payment: TransferPayment }) {
  const now = useNow(1000)
  const { state, expiresAt } = payment
  const isLate = Date.parse(expiresAt) <= now
  const isAsking = (state === 'waiting' && !isLate) || state === 'partial'
  return (
    <>
      <p className="sr" role="status">
        {describeTransfer(payment, now)}
      </p>
      <Ticket isRow className="pay" aria-label="Transfer">
        <TicketPart>{isAsking ? <Asked payment={payment} /> : <Arrived payment={payment} />}</TicketPart>
        <TicketPart>
          <div className="pay__stub">
            <StateOf payment={payment} now={now} />
            <Ways payment={payment} isAsking={isAsking} />
          </div>
        </TicketPart>
      </Ticket>
      <RefundAddress key={payment.exceptions.map(({ id }) => id).join()} payment={payment} />
    </>
  )
}

function Asked({
  payment: { state, rest, address, network, isTest, token, uri, amount, received },
}: {
  payment: TransferPayment
}) {
  return (
    <div className="pay__code">
      <QrCode text={uri} label={`Payment code for ${rest} USDC`} />
      <div className="stack gap-4">
        {state === 'partial' && (
          <dl className="receipt">
            <Pair name="Due" value={`${amount} USDC`} />
            <Pair name="Arrived" value={`${received} USDC`} />
          </dl>
        )}
        <Copied label={state === 'partial' ? 'Send the rest' : 'Send exactly'} value={rest} what="The amount" isSum />
        <Copied label="To this address, used for this order only" value={address} what="The address" />
        <p className="secure">
          <CircleAlert className="icon" aria-hidden />
          <span className="wrap-anywhere">
            <b>USDC on {network} only.</b> Other coins or networks sent here cannot be returned. 1 USDC pays $1.00. The
            network’s fee is not included. Contract <span className="mono">{token}</span>.
            {isTest && ' This is a test network: no real money is charged.'}
          </span>
        </p>
      </div>
    </div>
  )
}

function Copied({ label, value, what, isSum }: { label: string; value: string; what: string; isSum?: boolean }) {
  return (
    <div className="stack gap-1">
      <span className="small muted">{label}</span>
      <div className="pay__copy">
        <output className={isSum ? 'pay__sum' : 'mono'} aria-label={isSum ? 'Amount in USDC' : 'Address'}>
          {isSum ? `${value} USDC` : value}
        </output>
        <IconButton
          label={isSum ? 'Copy amount' : 'Copy address'}
          icon={<Copy className="icon" aria-hidden />}
          onClick={() => void copyText(value, what)}
        />
      </div>
    </div>
  )
}

function Arrived({ payment: { amount, received, transactions } }: { payment: TransferPayment }) {
  return (
    <dl className="receipt">
      <Pair name="Due" value={`${amount} USDC`} />
      <Pair name="Arrived" value={`${received} USDC`} />
      {transactions.map(({ hash, amount: sum, isConfirmed }) => (
        <Pair
          key={hash}
          name={`Transaction of ${sum} USDC${isConfirmed ? '' : ', not confirmed yet'}`}
          value={
            <span className="mono" title={hash}>
              {hash.slice(0, 6)}…{hash.slice(-4)}
            </span>
          }
        />
      ))}
    </dl>
  )
}

type Look = { look: ComponentProps<typeof Badge>['look']; Icon: LucideIcon; name: string; title: string; text: string }

function looksOf(payment: TransferPayment, isLate: boolean): Look {
  const { state, confirmations, confirmationsNeeded, rest, received } = payment
  if (state === 'paid')
    return {
      look: 'completed',
      Icon: Check,
      name: 'Paid',
      title: `${payment.amount} USDC`,
      text: 'Your order is ready.',
    }
  if (state === 'seen') {
    const isDone = confirmations === confirmationsNeeded
    const text = isDone
      ? 'Your order is being prepared. You can close this page; we send a mail.'
      : 'Your payment is on its way. You can close this page; we send a mail.'
    return {
      look: 'refunded',
      Icon: Clock,
      name: 'Seen',
      title: `${confirmations} of ${confirmationsNeeded} confirmations`,
      text,
    }
  }
  if (state === 'partial') {
    const text = 'Send the rest to the same address in time. What arrived is kept for this order.'
    return { look: 'failed', Icon: CircleAlert, name: 'Too little received', title: `${rest} USDC missing`, text }
  }
  if (state === 'waiting' && !isLate)
    return {
      look: 'pending',
      Icon: Clock,
      name: 'Waiting for payment',
      title: '',
      text: 'left to pay. This page changes by itself.',
    }
  const isReceived = Number(received) > 0
  if (state === 'closed') {
    const text = 'Please don’t send anything to its address.'
    return { look: 'neutral', Icon: X, name: 'Closed', title: 'This payment is closed', text }
  }
  const text = isReceived
    ? 'What arrived is yours. We ask you below what to do with it.'
    : 'No money was taken. If you sent it late, it shows here, and we ask you what to do with it.'
  return {
    look: 'neutral',
    Icon: X,
    name: isReceived ? 'Late' : 'Expired',
    title: isReceived ? `${received} USDC arrived` : 'Nothing arrived in time',
    text,
  }
}

function StateOf({ payment, now }: { payment: TransferPayment; now: number }) {
  const { state, expiresAt, confirmations, confirmationsNeeded } = payment
  const isLate = Date.parse(expiresAt) <= now
  const { look, Icon, name, title, text } = looksOf(payment, isLate)
  const isCounting = (state === 'waiting' || state === 'partial') && !isLate
  return (
    <div className="stack gap-2">
      <span>
        <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
          {name}
        </Badge>
      </span>
      {title && <h2 className="pay__sum">{title}</h2>}
      {isCounting && (
        <p className="pay__sum" role="timer" aria-label="Time left">
          {timeLeft(expiresAt, now)}
        </p>
      )}
      {(state === 'seen' || state === 'paid') && (
        <progress
          className="pay__bar"
          max={confirmationsNeeded}
          value={confirmations}
          aria-label={`${confirmations} of ${confirmationsNeeded} confirmations`}
        />
      )}
      <p className="muted small">{text}</p>
      {isCounting && <p className="muted small">Price held until {formatMoment(expiresAt)}.</p>}
    </div>
  )
}

function Ways({ payment: { state, uri, orderId }, isAsking }: { payment: TransferPayment; isAsking: boolean }) {
  if (state === 'paid')
    return (
      <LinkButton tone="primary" isWide href={`/orders/${orderId}`}>
        Open your goods
      </LinkButton>
    )
  return (
    <div className="stack gap-2">
      {isAsking && (
        <a className={buttonClass({ tone: 'primary', isWide: true })} href={uri}>
          <Wallet className="icon" aria-hidden />
          Open in wallet
        </a>
      )}
      {state === 'waiting' && (
        <LinkButton tone="quiet" isWide href={`/orders/${orderId}`}>
          Switch method
        </LinkButton>
      )}
      {isOver({ state }) && (
        <LinkButton isWide href="/cart">
          Start again
        </LinkButton>
      )}
    </div>
  )
}
