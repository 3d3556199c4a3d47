import type { Order } from '../purchases/orders.contract.ts'
import { PayButton } from './methods/PayButton.tsx'

export const FinishPaymentButton = ({
  order: { id: orderId, total, credit, paymentMethod },
}: {
  order: Pick<Order, 'id' | 'total' | 'credit' | 'paymentMethod'>
}) => (
  <PayButton
    label="Finish payment"
    look={{ tone: 'primary' }}
    method={paymentMethod}
    purchase={{ amount: total, orderId, credit }}
  />
)
