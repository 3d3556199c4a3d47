import { ChevronDown } from 'lucide-react'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { everyDay, formatUtcDay, scaleOf } from './chart.rules.ts'
import type { SalesDay } from './sales.contract.ts'

const HEIGHT = 100
const STEP = 10
const LINES = 3

export function SalesChart({ from, to, sold }: { from: string; to: string; sold: SalesDay[] }) {
  const days = everyDay(from, to, sold)
  const cents = days.map(({ revenue }) => toCents(revenue))
  const most = Math.max(...cents)
  const top = scaleOf(most)
  const best = days[cents.indexOf(most)]!
  const gap = days.length > 100 ? 0 : 2
  return (
    <figure className="card">
      <figcaption className="row row--between row--wrap">
        <h2 className="text-16">Revenue a day</h2>
        {most > 0 && (
          <span className="muted small num">
            Best day: {formatUtcDay(best.day)}, {usd(most)}
          </span>
        )}
      </figcaption>
      <div className="bars">
        {Array.from({ length: LINES }, (_, i) => (
          <span key={i} className="bars__line" style={{ bottom: `${((i + 1) / LINES) * 100}%` }} aria-hidden>
            <span>{usd(Math.round((top * (i + 1)) / LINES)).replace(/\.00$/, '')}</span>
          </span>
        ))}
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Revenue a day, from ${usd(Math.min(...cents))} to ${usd(most)}. The table below has every day.`}
        >
          {days.map(({ day }, i) => {
            const height = Math.max(cents[i]! > 0 ? 2 : 0.5, (cents[i]! / top) * HEIGHT)
            return (
              <rect
                key={day}
                className={i === days.length - 1 ? 'bars__now' : undefined}
                x={i * STEP + gap / 2}
                y={HEIGHT - height}
                width={STEP - gap}
                height={height}
              >
                <title>{`${formatUtcDay(day)}: ${usd(cents[i]!)}`}</title>
              </rect>
            )
          })}
        </svg>
      </div>
      <p className="bars__x" aria-hidden>
        <span>{formatUtcDay(from)}</span>
        <span>Today</span>
      </p>
      <details className="panel">
        <summary className="text-14">
          Every day as a table
          <ChevronDown className="icon" aria-hidden />
        </summary>
        <table className="days">
          <caption className="sr">Revenue and orders of each day, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="r">
                Orders
              </th>
              <th scope="col" className="r">
                Revenue
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, revenue, orders }) => (
              <tr key={day}>
                <th scope="row">{formatUtcDay(day)}</th>
                <td className="r">{orders.toLocaleString('en')}</td>
                <td className="r">{usd(toCents(revenue))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
