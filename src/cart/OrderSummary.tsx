import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChargedInDollars } from '../localisation/ChargedInDollars.tsx'
import { usd } from '../localisation/usd.rules.ts'
import { Ticket, TicketPart } from '../ui/Ticket.tsx'

type OrderSummaryProps = {
  cents: number
  /** The part that store credit pays. */
  creditCents?: number
  children: ReactNode
}

/** The sums of an order. `children` are the ways to pay. */
export const OrderSummary = ({ cents, creditCents = 0, children }: OrderSummaryProps) => (
  <Ticket aria-labelledby="order-summary">
    <TicketPart className="roomy">
      <h2 id="order-summary" className="text-18">
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
    <TicketPart className="stack summary__pay">
      <dl className="receipt">
        <div className={creditCents > 0 ? '' : 'total'}>
          <dt>Total</dt>
          <dd>{usd(cents)}</dd>
        </div>
        {creditCents > 0 && (
          <>
            <div>
              <dt>Store credit</dt>
              <dd>−{usd(creditCents)}</dd>
            </div>
            <div className="total">
              <dt>To pay</dt>
              <dd>{usd(cents - creditCents)}</dd>
            </div>
          </>
        )}
      </dl>
      <ChargedInDollars cents={cents - creditCents} />
      {children}
      <p className="secure">
        <Lock className="icon" aria-hidden />
        <span>Secure checkout • Your digital products will be available immediately after purchase</span>
      </p>
    </TicketPart>
  </Ticket>
)
