import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChargedInDollars } from '../localisation/ChargedInDollars.tsx'
import { usd } from '../localisation/usd.rules.ts'
import { Pair } from '../ui/Pair.tsx'
import { Ticket, TicketPart } from '../ui/Ticket.tsx'

type OrderSummaryProps = {
  subtotalCents: number
  cents: number
  codes: ReactNode
  codeEntry: ReactNode
  creditCents?: number
  children: ReactNode
}

export const OrderSummary = ({
  subtotalCents,
  cents,
  codes,
  codeEntry,
  creditCents = 0,
  children,
}: OrderSummaryProps) => (
  <Ticket aria-labelledby="order-summary">
    <TicketPart className="roomy">
      <h2 id="order-summary" className="text-18">
        Order Summary
      </h2>
      <dl className="receipt">
        <Pair name="Subtotal" value={usd(subtotalCents)} />
        {codes}
        <Pair name="Tax" value="$0.00" />
        <Pair name="Shipping" value="Free (Digital)" />
      </dl>
      {codeEntry}
    </TicketPart>
    <TicketPart className="stack summary__pay">
      <dl className="receipt">
        <Pair name="Total" value={usd(cents)} className={creditCents > 0 ? '' : 'total'} />
        {creditCents > 0 && (
          <>
            <Pair name="Store credit" value={`−${usd(creditCents)}`} />
            <Pair name="To pay" value={usd(cents - creditCents)} className="total" />
          </>
        )}
      </dl>
      <ChargedInDollars cents={cents - creditCents} />
      {children}
      <p className="secure">
        <Lock className="icon" aria-hidden />
        <span>Secure checkout • Your digital products will be available immediately after purchase</span>
      </p>
      <p className="muted small">
        By paying you accept our{' '}
        <a className="text-link" href="/terms">
          terms
        </a>{' '}
        and{' '}
        <a className="text-link" href="/refunds">
          refund rules
        </a>
        .
      </p>
    </TicketPart>
  </Ticket>
)
