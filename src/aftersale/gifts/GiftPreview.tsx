import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { shownNameOf } from '../../identity/accounts/shownName.rules.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import type { OrderLine } from '../../purchases/orders.contract.ts'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { describeGift } from './gift.texts.rules.ts'

export type GiftLine = Pick<OrderLine, 'id' | 'productId' | 'title' | 'categoryId' | 'imageUrl' | 'delivery'>

type GiftPreviewProps = { line: GiftLine; quantity: number; toName: string; note: string }

/** The cover, the sender, the title, the copies and the note, as the page of the gift shows them. */
export function GiftPreview({ line, quantity, toName, note }: GiftPreviewProps) {
  const { productId, title, categoryId, imageUrl, delivery } = line
  const { user } = useSession()
  return (
    <section className="stack gap-2" aria-labelledby="gift-preview">
      <h3 id="gift-preview" className="text-14">
        What your friend sees
      </h3>
      <Ticket>
        <TicketPart className="row row--top row--nowrap">
          <ProductImage product={{ id: productId, title, categoryId, imageUrl }} sizes="84px" className="thumb" />
          <div className="grow stack gap-1 wrap-anywhere">
            <p className="muted small">
              {user ? shownNameOf(user) : 'Someone'} sent {toName.trim() || 'you'} a gift
            </p>
            <strong>{title}</strong>
            <p className="muted small">{describeGift({ kind: delivery?.kind ?? 'file', quantity })}</p>
            {note.trim() && <p>“{note.trim()}”</p>}
          </div>
        </TicketPart>
      </Ticket>
    </section>
  )
}
