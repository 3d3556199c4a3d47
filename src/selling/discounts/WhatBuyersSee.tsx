import { usd } from '../../localisation/usd.rules.ts'
import { Pair } from '../../ui/Pair.tsx'
import { TicketPart } from '../../ui/Ticket.tsx'
import type { OwnProduct } from '../selling.contract.ts'
import { cutOf, lineOf, type Typed } from './ownDiscount.rules.ts'

export function WhatBuyersSee({ products, typed }: { products: OwnProduct[]; typed: Typed }) {
  const shown = products.slice(0, 2)
  const lines = shown.map(lineOf)
  const cut = cutOf(lines, typed)
  if (shown.length === 0 || cut === null) return null
  const total = lines.reduce((sum, { cents }) => sum + cents, 0)
  return (
    <section className="stack gap-2" aria-labelledby="buyers-see">
      <h3 id="buyers-see" className="text-16">
        What buyers see
      </h3>
      <div className="ticket">
        <TicketPart>
          <dl className="receipt">
            {shown.map(({ id, title }, i) => (
              <Pair key={id} name={title} value={usd(lines[i]!.cents)} />
            ))}
            <Pair name={typed.code.trim().toUpperCase() || 'Your code'} value={`−${usd(cut)}`} />
          </dl>
        </TicketPart>
        <TicketPart>
          <dl className="receipt">
            <Pair name="Total" value={usd(total - cut)} className="total" />
          </dl>
        </TicketPart>
      </div>
    </section>
  )
}
