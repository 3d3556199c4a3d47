import { signedUsd } from '../../localisation/usd.rules.ts'
import { signedCents } from '../../kit/money.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { useLocation } from 'wouter'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { getStatement, type Movement, type Statement } from './balance.contract.ts'
import {
  addMonths,
  describeMovement,
  netCents,
  nameDay,
  nameMonth,
  nameMovement,
  showChange,
  statementFile,
} from './statement.rules.ts'

export const statementQuery = (month: string | undefined) => query(getStatement, month ? { month } : {})

type StatementProps = { asked: string | undefined; first: string; present: string }

export function StatementSection({ asked, first, present }: StatementProps) {
  const month = asked ?? present
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    ...statementQuery(asked),
    refetchOnMount: useAlways(),
    // shows the former month until the next month is loaded
    placeholderData: keepPreviousData,
  })
  const [, go] = useLocation()
  const step = (by: number) => go(`/balance/${addMonths(month, by)}`, { replace: true })
  return (
    <section className="section" aria-labelledby="statement">
      <div className="section__head">
        <h2 id="statement">Statement</h2>
        <span className="row gap-2">
          {(['csv', 'pdf'] as const).map((kind) => (
            <a key={kind} className={buttonClass({ tone: 'ghost' })} href={statementFile(kind, month)} download>
              <Download className="icon" aria-hidden />
              {kind.toUpperCase()}
            </a>
          ))}
        </span>
      </div>
      <Ticket>
        <TicketPart className="row row--between row--nowrap">
          <strong role="status">{nameMonth(month)}</strong>
          <span className="row row--nowrap gap-1">
            <IconButton
              look="line"
              label="The month before"
              icon={<ChevronLeft className="icon" aria-hidden />}
              disabled={month <= first}
              onClick={() => step(-1)}
            />
            <IconButton
              look="line"
              label="The month after"
              icon={<ChevronRight className="icon" aria-hidden />}
              disabled={month >= present}
              onClick={() => step(1)}
            />
          </span>
        </TicketPart>
        {isError && (!data || isPlaceholderData) ? (
          <TicketPart>
            <ErrorState title="Couldn’t load the statement" onRetry={() => void refetch()} />
          </TicketPart>
        ) : !data ? (
          <TicketPart>
            <Skeleton height="12rem" />
          </TicketPart>
        ) : (
          <>
            <TicketPart>
              <Movements statement={data} isBusy={isPlaceholderData} isPresent={data.month === present} />
            </TicketPart>
            <TicketPart>
              <Sums statement={data} />
            </TicketPart>
          </>
        )}
      </Ticket>
    </section>
  )
}

type MovementsProps = { statement: Statement; isBusy: boolean; isPresent: boolean }

function Movements({
  statement: { month, opening, closing, movements, isSummedUp },
  isBusy,
  isPresent,
}: MovementsProps) {
  const end = isPresent ? 'Balance today' : 'Balance after'
  return (
    <>
      <table className="ledger" aria-busy={isBusy || undefined}>
        <caption className="sr">Movements with the balance after each. Days are in UTC.</caption>
        <thead>
          <tr>
            <th scope="col" className="ledger__day">
              Date
            </th>
            <th scope="col">What</th>
            <th scope="col" className="r">
              Amount
            </th>
            <th scope="col" className="r">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          <Row day={nameDay(`${month}-01`)} name="Balance before" balance={opening} />
          {movements.map((movement, i) => (
            <MovementRow key={i} movement={movement} />
          ))}
          <Row day="" name={end} about={isPresent ? 'Pending and available' : ''} balance={closing} />
        </tbody>
      </table>
      {isSummedUp && (
        <p className="muted small">
          This month has too many lines for one page, so each day is summed up. The CSV has every product.
        </p>
      )}
    </>
  )
}

const MovementRow = ({ movement }: { movement: Movement }) => (
  <Row
    day={nameDay(movement.day)}
    name={nameMovement(movement)}
    about={describeMovement(movement)}
    amount={movement.amount}
    balance={movement.balance}
  />
)

type RowProps = { day: string; name: string; about?: string; amount?: string; balance: string }

function Row({ day, name, about, amount, balance }: RowProps) {
  const isPlus = amount !== undefined && !amount.startsWith('-')
  return (
    <tr>
      <td className="ledger__day">{day}</td>
      <td className="wrap-anywhere">
        {name}
        <small>
          {about}
          <span className="ledger__narrow">{about && day ? `, ${day}` : day}</span>
        </small>
      </td>
      <td className={isPlus ? 'r tone-ok' : 'r'}>{amount !== undefined && showChange(signedCents(amount))}</td>
      <td className="r">{signedUsd(signedCents(balance))}</td>
    </tr>
  )
}

function Sums({ statement }: { statement: Statement }) {
  const { sums, month } = statement
  const lines = [
    ['Sales at list price', signedCents(sums.sale)],
    ['Discount codes', signedCents(sums.discount)],
    ['Refunds', signedCents(sums.refund)],
    ['Fees', signedCents(sums.fee) + signedCents(sums.fee_returned)],
    ['Paid out', signedCents(sums.payout) + signedCents(sums.payout_returned)],
  ] as const
  return (
    <dl className="receipt">
      {lines.map(
        ([name, cents]) =>
          cents !== 0 && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{showChange(cents)}</dd>
            </div>
          ),
      )}
      <div className="total">
        <dt>Net in {nameMonth(month)}</dt>
        <dd>{signedUsd(netCents(statement))}</dd>
      </div>
    </dl>
  )
}
