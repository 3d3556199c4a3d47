import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { shownNameOf } from '../../identity/accounts/shownName.rules.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import type { OrderLine } from '../../purchases/orders.contract.ts'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'

export type GiftLine = Pick<OrderLine, 'id' | 'productId' | 'title' | 'categoryId' | 'imageUrl'>

type GiftPreviewProps = { line: GiftLine; toName: string; note: string }

/** The cover, the sender, the title and the note, as the page of the gift shows them. */
export function GiftPreview({ line: { productId, title, categoryId, imageUrl }, toName, note }: GiftPreviewProps) {
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
            {note.trim() && <p>“{note.trim()}”</p>}
          </div>
        </TicketPart>
      </Ticket>
    </section>
  )
}
