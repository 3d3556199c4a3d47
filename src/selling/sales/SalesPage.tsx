import './sales.css'
import { Download, Minus, TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { signedCents, toCents } from '../../kit/money.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { LinkButton } from '../../ui/Link.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { SellerTabs } from '../SellerTabs.tsx'
import { type Change, changeOf, describeDays, describeShare, pointsOf, shareOf } from './chart.rules.ts'
import { PERIODS, type Period, SALES_CSV, type SalesSummary } from './sales.contract.ts'
import { SalesChart } from './SalesChart.tsx'
import { SaleList } from './SaleList.tsx'
import { Countries, TopProducts } from './Shares.tsx'
import { useSummary } from './useSales.ts'

const periods = PERIODS.map((days) => ({ value: days, label: `${days} days` }))
const USUAL: Period = 30

export function SalesPage() {
  const [search, setSearch] = useSearchParams()
  const days = PERIODS.find((one) => String(one) === search.get('days')) ?? USUAL
  const { data: summary, isError, refetch } = useSummary(days)
  const ask = (changes: Record<string, string | null>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams([...before].filter(([name]) => !(name in changes)))
        for (const [name, value] of Object.entries(changes)) if (value !== null) next.set(name, value)
        return next
      },
      { replace: true },
    )
  const hasNothing = summary && summary.now.orders + summary.before.orders + summary.now.views === 0
  return (
    <div className="section gap-5">
      <SellerTabs />
      <PageHead
        title="Sales"
        about={summary && `${describeDays(summary.from, summary.to)} (UTC), in US dollars`}
        action={
          summary &&
          !hasNothing && (
            <a className={buttonClass({})} href={`${SALES_CSV}?days=${days}`} download>
              <Download className="icon" aria-hidden />
              Export CSV
            </a>
          )
        }
      />
      <Segment
        label="Period"
        options={periods}
        value={days}
        onChange={(chosen) => ask({ days: chosen === USUAL ? null : String(chosen) })}
      />
      {isError && !summary ? (
        <ErrorState title="Couldn’t load your sales" onRetry={() => void refetch()} />
      ) : !summary ? (
        <Waiting />
      ) : hasNothing ? (
        <div className="card">
          <EmptyState
            scene="receipt"
            title="No sales yet"
            action={<LinkButton href="/my-products">My Products</LinkButton>}
          >
            {`You had no sales or views in the last ${days} days. Each sale appears here within seconds.`}
          </EmptyState>
        </div>
      ) : (
        <>
          <Figures summary={summary} />
          <SalesChart from={summary.from} to={summary.to} sold={summary.days} />
          <div className="twocol">
            <TopProducts
              products={summary.products}
              revenue={toCents(summary.now.revenue)}
              onOnly={(productId) => ask({ product: productId })}
            />
            <Countries countries={summary.countries} revenue={toCents(summary.now.revenue)} />
          </div>
          <SaleList
            filter={{
              days,
              productId: search.get('product') ?? undefined,
              state: (['paid', 'refunded'] as const).find((state) => state === search.get('state')),
            }}
            onFilter={ask}
          />
        </>
      )}
    </div>
  )
}

function Figures({ summary: { now, before } }: { summary: SalesSummary }) {
  const [revenue, former] = [toCents(now.revenue), toCents(before.revenue)]
  const [net, formerNet] = [signedCents(now.net), signedCents(before.net)]
  const bought = [shareOf(now.orders, now.views), shareOf(before.orders, before.views)] as const
  const [refunded, formerlyRefunded] = [toCents(now.refunded), toCents(before.refunded)]
  const returned = [shareOf(refunded, revenue), shareOf(formerlyRefunded, former)] as const
  return (
    <ul className="kpis">
      <Figure name="Net" value={signedUsd(net)} change={changeOf(net, formerNet)} before={signedUsd(formerNet)}>
        Revenue {usd(revenue)}
      </Figure>
      <Figure
        name="Orders"
        value={now.orders.toLocaleString('en')}
        change={changeOf(now.orders, before.orders)}
        before={before.orders.toLocaleString('en')}
      >
        {plural(now.sales, 'sale')}
      </Figure>
      <Figure
        name="Bought after viewing"
        value={describeShare(bought[0])}
        change={pointsOf(...bought)}
        before={describeShare(bought[1])}
      >
        {now.views.toLocaleString('en')} views
      </Figure>
      <Figure
        name="Refunded"
        value={describeShare(returned[0])}
        change={pointsOf(...returned)}
        before={describeShare(returned[1])}
        isBetterDown
      >
        {usd(refunded)}
      </Figure>
    </ul>
  )
}

type FigureProps = {
  name: string
  value: string
  change: Change | null
  before: string
  isBetterDown?: boolean
  children?: ReactNode
}

const ICONS = { up: TrendingUp, down: TrendingDown, same: Minus }

function Figure({ name, value, change, before, isBetterDown = false, children }: FigureProps) {
  const isGood = change && change.way !== 'same' && (change.way === 'up') !== isBetterDown
  const tone = !change || change.way === 'same' ? '' : isGood ? 'tone-ok' : 'tone-bad'
  const Icon = ICONS[change?.way ?? 'same']
  return (
    <li className="ticket">
      <div className="ticket__part">
        <p className="muted small">{name}</p>
        <p className="figure">{value}</p>
        {children && <p className="muted small num">{children}</p>}
      </div>
      <div className="ticket__part">
        <p className={`delta ${tone}`}>
          <Icon className="icon icon--sm" aria-hidden />
          {change?.text ?? 'Nothing to compare'}
        </p>
        <p className="muted small num">before: {before}</p>
      </div>
    </li>
  )
}

const Waiting = () => (
  <div className="section gap-5" role="status" aria-label="Loading your sales">
    <Skeleton height="9rem" />
    <Skeleton height="18rem" />
    <Skeleton height="12rem" />
  </div>
)
