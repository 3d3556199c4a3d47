import '../sales/sales.css'
import './overview.css'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleHelp, type LucideIcon, MessageCircle, PackageX, Plus, Scale, Star, TicketX, X } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { useAskEvery } from '../../kit/query/useLive.ts'
import { signedUsd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { formatUtcDay } from '../sales/chart.rules.ts'
import { SellerTabs } from '../SellerTabs.tsx'
import {
  dismissReviews,
  getOverview,
  MAX_WAITING,
  NET_DAYS,
  type Overview,
  type WaitingItem,
} from './overview.contract.ts'
import { centsByDay, figuresOf, followersText, isUntouched, taskOf } from './overview.rules.ts'

const AddProductDialog = lazyDialog(
  () => import('../../catalogue/add-product/AddProductDialog.tsx'),
  'AddProductDialog',
)

const OFTEN_MS = 30_000
/** With the change feed, which reports sales but neither questions, disputes nor reviews. */
const SELDOM_MS = 60_000

export function OverviewPage() {
  const refetchInterval = useAskEvery(OFTEN_MS, SELDOM_MS)
  const [isAll, setAll] = useState(false)
  const asked = {
    ...query(getOverview, isAll ? { limit: MAX_WAITING } : {}),
    refetchInterval,
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  } as const
  const { data: overview, isError, refetch } = useQuery(asked)
  const adding = useDialog()
  const add = (
    <Button tone="primary" icon={<Plus className="icon" aria-hidden />} onClick={adding.open}>
      Add Product
    </Button>
  )
  const isEmpty = overview !== undefined && isUntouched(overview)
  return (
    <div className="section gap-5">
      <SellerTabs />
      <PageHead title="Selling" about="In US dollars. Days are in UTC." action={isEmpty ? undefined : add} />
      {!overview ? (
        isError ? (
          <ErrorState title="Couldn’t load your overview" onRetry={() => void refetch()} />
        ) : (
          <>
            <Skeleton className="skeleton--card" height="8rem" />
            <Skeleton className="skeleton--card" height="16rem" />
          </>
        )
      ) : isEmpty ? (
        <div className="card">
          <EmptyState scene="receipt" title="Nothing sold yet" action={add}>
            Your sales and what needs an answer will show here.
          </EmptyState>
        </div>
      ) : (
        <>
          <Figures overview={overview} />
          <div className="twocol">
            <Waiting overview={overview} onAll={() => setAll(true)} />
            <Kept overview={overview} />
          </div>
          <Followers count={overview.followers} />
        </>
      )}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
    </div>
  )
}

const Figures = ({ overview }: { overview: Overview }) => (
  <div className="kpis">
    {figuresOf(overview).map(({ name, amount, about }) => (
      <Ticket key={name} aria-label={name}>
        <TicketPart>
          <h2 className="muted small">{name}</h2>
          <p className="figure">{amount}</p>
        </TicketPart>
        <TicketPart>
          <p className="muted small">{about}</p>
        </TicketPart>
      </Ticket>
    ))}
  </div>
)

const Followers = ({ count }: { count: number }) => (
  <section className="section" aria-labelledby="followers">
    <div className="section__head">
      <h2 id="followers">Followers</h2>
      <Link className="link" href="/selling/page">
        Your page
      </Link>
    </div>
    <p className="card num">{followersText(count)}</p>
  </section>
)

const ICONS: Record<WaitingItem['kind'], LucideIcon> = {
  dispute: Scale,
  code_case: TicketX,
  question: CircleHelp,
  goods: PackageX,
  review: Star,
  message: MessageCircle,
}

/** The pressed button disappears, so the focus moves to the title of the list. */
const focusTitle = () => document.querySelector<HTMLElement>('#needs-answer')?.focus()

type WaitingProps = { overview: Overview; onAll: () => void }

function Waiting({ overview: { waiting, waitingCount }, onAll }: WaitingProps) {
  return (
    <section className="section" aria-labelledby="needs-answer">
      <div className="section__head">
        <h2 id="needs-answer" tabIndex={-1}>
          Needs an answer
        </h2>
        <span className="muted small num">{waitingCount > 0 && waitingCount.toLocaleString('en')}</span>
      </div>
      {waiting.length === 0 ? (
        <p className="card muted small">Nothing needs an answer.</p>
      ) : (
        <ul className="list">
          {waiting.map((item) => (
            <WaitingRow key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </ul>
      )}
      {waitingCount > waiting.length &&
        (waiting.length < MAX_WAITING ? (
          <div className="row row--center">
            <Button
              onClick={() => {
                onAll()
                focusTitle()
              }}
            >
              Show {(waitingCount - waiting.length).toLocaleString('en')} more
            </Button>
          </div>
        ) : (
          <p className="muted small num">And {(waitingCount - waiting.length).toLocaleString('en')} more.</p>
        ))}
    </section>
  )
}

function WaitingRow({ item }: { item: WaitingItem }) {
  const { what, about, act, href } = taskOf(item)
  const Icon = ICONS[item.kind]
  return (
    <li className="list__row row--wrap">
      <Icon className="icon" aria-hidden />
      <span className="grow task__text wrap-anywhere">
        <strong>{what}</strong>
        <small>{about}</small>
      </span>
      <LinkButton tone="soft" href={href} aria-label={`${act}: ${what}`}>
        {act}
      </LinkButton>
      {item.kind === 'review' && <DismissButton item={item} what={what} />}
    </li>
  )
}

/** The seller leaves the reviews of a product without an answer. */
function DismissButton({ item: { id, at }, what }: { item: WaitingItem; what: string }) {
  const cache = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () => call(dismissReviews, { id, at }),
    onSuccess: () => {
      focusTitle()
      return cache.invalidateQueries({ queryKey: keyOf(getOverview, {}) })
    },
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'Failed to dismiss it. Please try again.'),
  })
  return (
    <IconButton
      label={`Leave without an answer: ${what}`}
      icon={<X className="icon" aria-hidden />}
      onClick={() => dismiss.mutate()}
    />
  )
}

const HEIGHT = 100
const STEP = 10
const GAP = 2

function Kept({ overview }: { overview: Overview }) {
  const cents = centsByDay(overview)
  const sum = cents.reduce((all, one) => all + one, 0)
  const [least, most] = [Math.min(...cents), Math.max(...cents)]
  return (
    <section className="section" aria-labelledby="kept">
      <div className="section__head">
        <h2 id="kept">Net by day</h2>
        <Link className="link" href="/orders?tab=sales">
          Sales
        </Link>
      </div>
      <div className="card stack">
        <p className="figure">
          {signedUsd(sum)} <span className="muted small">in {NET_DAYS} days</span>
        </p>
        <svg
          className="kept"
          viewBox={`0 0 ${cents.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Net by day, ${NET_DAYS} days, from ${signedUsd(least)} to ${signedUsd(most)}`}
        >
          {cents.map((one, i) => {
            const height = Math.max(1, (Math.max(0, one) / Math.max(1, most)) * HEIGHT)
            return (
              <rect
                key={i}
                className={i === cents.length - 1 ? 'kept__now' : undefined}
                x={i * STEP + GAP / 2}
                y={HEIGHT - height}
                width={STEP - GAP}
                height={height}
              />
            )
          })}
        </svg>
        <p className="kept__x" aria-hidden>
          <span>{formatUtcDay(overview.from)}</span>
          <span>Today</span>
        </p>
      </div>
    </section>
  )
}
