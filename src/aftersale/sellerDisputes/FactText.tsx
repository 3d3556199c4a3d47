import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import type { DisputeFact } from '../disputes/fact.contract.ts'
import { describeDelivery } from './sellerDispute.rules.ts'

/** A fact with the deliveries that it is about. Staff see it in the same form. */
export const FactText = ({ fact: { text, deliveries, addedAt } }: { fact: DisputeFact }) => (
  <span className="grow grow--column wrap-anywhere">
    <span className="pre-line">{text}</span>
    {deliveries.map(({ title, kind, at }, i) => (
      <small key={i}>
        {describeDelivery(kind)}: {isolateRtl(title)}, {formatMoment(at)}
      </small>
    ))}
    <small className="num">Added {formatMoment(addedAt)}</small>
  </span>
)
