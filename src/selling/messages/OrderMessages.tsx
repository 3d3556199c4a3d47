import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { query } from '../../kit/query/query.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { listOrderSellers, type OrderSeller } from './messages.contract.ts'

const Messages = lazyPart(() => import('./Messages.tsx'), 'Messages', <Skeleton height="8rem" />)

/** The threads of a buyer with the sellers of an order. An unread one is open. */
export function OrderMessages({ orderId }: { orderId: string }) {
  const { data: sellers = [] } = useQuery({ ...query(listOrderSellers, { id: orderId }), refetchOnMount: 'always' })
  const [chosen, setChosen] = useState<string | null>()
  if (sellers.length === 0) return null
  const open = chosen === undefined ? sellers.find(({ isUnread }) => isUnread)?.lineId : chosen
  const isQuiet = !open && sellers.every(({ messages }) => messages === 0)
  return (
    <section className={isQuiet ? 'stack gap-1' : 'card stack'} aria-labelledby="order-messages">
      <h2 id="order-messages" className={isQuiet ? 'sr' : 'text-16'}>
        Messages
      </h2>
      {sellers.map((seller) => (
        <div key={seller.lineId} className="stack gap-2">
          <SellerRow
            seller={seller}
            isQuiet={isQuiet}
            isOpen={open === seller.lineId}
            onPress={() => setChosen(open === seller.lineId ? null : seller.lineId)}
          />
          {open === seller.lineId && <Messages id={seller.lineId} />}
        </div>
      ))}
    </section>
  )
}

type SellerRowProps = {
  seller: OrderSeller
  /** Before the first message, a row shows only its button. */
  isQuiet: boolean
  isOpen: boolean
  onPress: () => void
}

/** The button remains the same element when its row gets the name. Otherwise it would lose the focus. */
function SellerRow({ seller: { name, messages, isUnread }, isQuiet, isOpen, onPress }: SellerRowProps) {
  const act = isOpen ? 'Close' : messages > 0 ? 'Open' : 'Write'
  return (
    <div className="row row--between row--nowrap">
      {!isQuiet && (
        <span className="grow wrap-anywhere text-14">
          <strong>{isolateRtl(name)}</strong>{' '}
          {isUnread ? (
            <Badge look="pending">New</Badge>
          ) : (
            messages > 0 && <span className="muted">{plural(messages, 'message')}</span>
          )}
        </span>
      )}
      <Button
        tone={isQuiet ? 'quiet' : 'soft'}
        className={isQuiet ? 'flush-start' : undefined}
        icon={<MessageCircle className="icon" aria-hidden />}
        aria-expanded={isOpen}
        aria-label={act === 'Write' ? `Write to ${name}` : `${act} the messages with ${name}`}
        onClick={onPress}
      >
        {isQuiet ? `Write to ${isolateRtl(name)}` : act}
      </Button>
    </div>
  )
}
