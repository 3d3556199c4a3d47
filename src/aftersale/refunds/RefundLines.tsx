import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Select } from '../../ui/form/Select.tsx'
import type { RefundOffer } from './refund.contract.ts'

type RefundLinesProps = {
  offer: RefundOffer
  copies: Record<string, number>
  onChange: (id: string, copies: number) => void
  problem: string | null
}

export const RefundLines = ({ offer, copies, onChange, problem }: RefundLinesProps) => (
  <fieldset className="stack gap-2">
    <legend>Products</legend>
    {offer.lines.map(({ id, title, copies: bought, returned, left }) => {
      const most = bought - returned
      const isLeft = most > 0 && toCents(left) > 0
      const count = copies[id] ?? 0
      return (
        <div key={id} className="row row--between">
          <label className="check grow wrap-anywhere">
            <input
              type="checkbox"
              checked={count > 0}
              disabled={!isLeft}
              aria-invalid={problem !== null || undefined}
              aria-describedby={problem === null ? undefined : 'refund-lines'}
              onChange={({ target }) => onChange(id, target.checked ? most : 0)}
            />
            <bdi>{title}</bdi>, {isLeft ? `${usd(toCents(left))} left` : 'refunded'}
          </label>
          {most > 1 && count > 0 && (
            <Select
              aria-label={`Copies of ${title}`}
              options={Array.from({ length: Math.min(most, 100) }, (_, i) => String(i + 1)).map((value) => ({
                value,
                label: `${value} of ${most}`,
              }))}
              value={String(count)}
              onChange={({ target }) => onChange(id, Number(target.value))}
            />
          )}
        </div>
      )
    })}
    {problem !== null && (
      <p className="field__error" id="refund-lines">
        {problem}
      </p>
    )}
  </fieldset>
)
