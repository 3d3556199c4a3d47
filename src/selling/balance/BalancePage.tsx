import '../selling.css'
import './balance.css'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { signedCents, toCents } from '../../kit/money.ts'
import type { OwnPayouts } from '../../payments/payouts/payouts.contract.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { signedUsd, usd } from '../../localisation/usd.rules.ts'
import { LinkButton } from '../../ui/Link.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pair } from '../../ui/Pair.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { SellerTabs } from '../SellerTabs.tsx'
import { NextPayout } from '../payouts/NextPayout.tsx'
import { PayoutDetails } from '../payouts/PayoutDetails.tsx'
import { PayoutList } from '../payouts/PayoutList.tsx'
import { PayoutNotice } from '../payouts/PayoutNotice.tsx'
import { payoutsQuery, usePayouts } from '../payouts/usePayouts.ts'
import { type BalanceSheet, getBalance, MONTH } from './balance.contract.ts'
import { StatementSection, statementQuery } from './StatementSection.tsx'

const balanceQuery = query(getBalance, {})
const monthOfPath = (id: string) => (MONTH.test(id) ? id : undefined)

export const firstView = (id: string) => [balanceQuery, payoutsQuery, statementQuery(monthOfPath(id))]

export function BalancePage({ id }: { id: string }) {
  const { data: sheet, isError, refetch } = useQuery({ ...balanceQuery, refetchOnMount: useAlways() })
  const { data: payouts, isError: hasNoPayouts, refetch: readPayouts } = usePayouts()
  return (
    <div className="section gap-5">
      <SellerTabs />
      <PageHead title="Balance" about={sheet && `In US dollars. ${describeHold(sheet.terms)}`} />
      {!sheet ? (
        isError ? (
          <ErrorState title="Couldn’t load your balance" onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="skeleton--card" height="11rem" />
        )
      ) : (
        <>
          {signedCents(sheet.available) < 0 && <BelowZero cents={-signedCents(sheet.available)} />}
          {payouts && <PayoutNotice payouts={payouts} />}
          <Figures sheet={sheet} payouts={payouts} />
          <div className="split">
            {sheet.firstMonth === null ? (
              <NoSales />
            ) : (
              <StatementSection asked={monthOfPath(id)} first={sheet.firstMonth} present={sheet.presentMonth} />
            )}
            <div className="split__side">
              {payouts ? (
                <>
                  <PayoutDetails payouts={payouts} />
                  <PayoutList payouts={payouts} />
                </>
              ) : hasNoPayouts ? (
                <ErrorState title="Couldn’t load your payouts" onRetry={() => void readPayouts()} />
              ) : (
                <Skeleton className="skeleton--card" height="18rem" />
              )}
              <Terms terms={sheet.terms} />
            </div>
          </div>
        </>
      )}
    </div>
  )
}

const describeHold = ({ holdDays }: BalanceSheet['terms']) =>
  holdDays === 0
    ? 'A sale is available at once.'
    : `A sale becomes available ${holdDays === 1 ? 'a day' : `${holdDays} days`} after it is paid.`

type FiguresProps = { sheet: BalanceSheet; payouts: OwnPayouts | undefined }

function Figures({ sheet, payouts }: FiguresProps) {
  const { available, pending, pendingSales, pendingUntil, disputed, disputedSales, paidOut } = sheet
  const held = pendingUntil ? `${plural(pendingSales, 'sale')}, by ${formatDay(pendingUntil)}` : 'No sale is on hold'
  return (
    <Ticket aria-label="Balance">
      <TicketPart className="balance">
        <div>
          <h2 className="balance__name">Available</h2>
          <p className="balance__figure balance__figure--large">{signedUsd(signedCents(available))}</p>
        </div>
        <dl className="balance__more">
          <Figure name="Pending" amount={pending} about={held} />
          {disputedSales > 0 && (
            <Figure
              name="Disputed"
              amount={disputed}
              about={`${plural(disputedSales, 'sale')}, until the payment provider decides`}
            />
          )}
          <Figure name="Paid out" amount={paidOut} about="With what is on its way" />
        </dl>
      </TicketPart>
      {payouts && <NextPayout payouts={payouts} />}
    </Ticket>
  )
}

const Figure = ({ name, amount, about }: { name: string; amount: string; about: string }) => (
  <div>
    <dt className="balance__name">{name}</dt>
    <dd className="balance__figure">{signedUsd(signedCents(amount))}</dd>
    <dd className="muted small">{about}</dd>
  </div>
)

const BelowZero = ({ cents }: { cents: number }) => (
  <div className="alert" role="status">
    <TriangleAlert className="icon" aria-hidden />
    <div className="alert__text">
      <strong>Your balance is {usd(cents)} below zero</strong>
      <p>Refunds came to more than was available. You have nothing to pay: your next sales fill it first.</p>
    </div>
  </div>
)

const NoSales = () => (
  <div className="card">
    <EmptyState
      scene="receipt"
      title="No sales yet"
      action={
        <LinkButton tone="primary" href="/my-products">
          My Products
        </LinkButton>
      }
    >
      Each sale, fee, and refund will be listed here with the balance after it.
    </EmptyState>
  </div>
)

const Terms = ({ terms }: { terms: BalanceSheet['terms'] }) => (
  <section className="section" aria-labelledby="terms">
    <h2 id="terms">How sales are counted</h2>
    <dl className="card card--pairs pairs">
      <Pair name="Fee" value={describeFee(terms)} />
      <Pair name="Available" value={terms.holdDays === 0 ? 'At once' : `After ${plural(terms.holdDays, 'day')}`} />
      <Pair name="Refund" value="Its fee comes back" />
    </dl>
    <p className="muted small">These are the terms of your next sale. Earlier ones keep theirs.</p>
  </section>
)

function describeFee({ feePercent, fixedFee }: BalanceSheet['terms']): string {
  const fixed = toCents(fixedFee)
  if (feePercent === '0') return fixed === 0 ? 'None' : `${usd(fixed)} a product`
  return fixed === 0 ? `${feePercent}% of the price` : `${feePercent}% and ${usd(fixed)} a product`
}
