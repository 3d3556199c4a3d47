import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatPrice, USD } from '../localisation/currency.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { useCurrency } from '../localisation/useCurrency.ts'
import { Ticket, TicketPart } from '../ui/Ticket.tsx'

/** What will be paid, and the ways to pay it. */
export const OrderSummary = ({ cents, children }: { cents: number; children: ReactNode }) => (
  <Ticket aria-labelledby="order-summary">
    <TicketPart className="p-5">
      <h2 id="order-summary" className="mb-2 text-18">
        Order Summary
      </h2>
      <dl className="receipt">
        <div>
          <dt>Subtotal</dt>
          <dd>{usd(cents)}</dd>
        </div>
        <div>
          <dt>Tax</dt>
          <dd>$0.00</dd>
        </div>
        <div>
          <dt>Shipping</dt>
          <dd>Free (Digital)</dd>
        </div>
      </dl>
    </TicketPart>
    <TicketPart className="stack px-5 pt-4 pb-5">
      <dl className="receipt">
        <div className="total">
          <dt>Total</dt>
          <dd>{usd(cents)}</dd>
        </div>
      </dl>
      <OwnCurrency cents={cents} />
      {children}
      <p className="secure">
        <Lock className="icon" aria-hidden />
        <span>Secure checkout • Your digital products will be available immediately after purchase</span>
      </p>
    </TicketPart>
  </Ticket>
)

/** What is charged is US dollars; said to those who see other prices. */
function OwnCurrency({ cents }: { cents: number }) {
  const currency = useCurrency()
  if (currency.code === USD.code) return null
  return (
    <p className="small muted">
      You pay {usd(cents)} in US dollars, about {formatPrice(cents, currency)}.
    </p>
  )
}
