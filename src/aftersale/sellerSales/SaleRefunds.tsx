import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { getSaleRefundOffer } from './sellerRefund.contract.ts'
import { describeRefund } from './sellerRefund.texts.rules.ts'

/** The refunds of a sale by their seller, with those that are under way or refused. */
export function SaleRefunds({ id }: { id: string }) {
  const { data: offer } = useQuery(query(getSaleRefundOffer, { id }))
  if (!offer || offer.refunds.length === 0) return null
  return (
    <ul className="bullets stack gap-1 text-14" aria-label="Refunds">
      {offer.refunds.map((refund) => (
        <li key={refund.id}>{describeRefund(refund)}</li>
      ))}
    </ul>
  )
}
