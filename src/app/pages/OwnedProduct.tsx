import { BadgeCheck, Download } from 'lucide-react'
import { useDownload } from '../../delivery/files/useDownload.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import type { Purchase } from '../../reviews/reviews.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { Link, LinkButton } from '../../ui/Link.tsx'
import { Note } from '../../ui/Note.tsx'

export const OwnedNote = ({ purchase: { orderId, boughtAt } }: { purchase: Purchase }) => (
  <Note Icon={BadgeCheck} title="You own this">
    Bought on {formatDay(boughtAt)}.{' '}
    <Link className="text-link" href={`/orders/${orderId}`}>
      Open the order
    </Link>
  </Note>
)

export function OwnedProduct({ purchase, onRefused }: { purchase: Purchase; onRefused: () => void }) {
  const { orderId, lineId, delivery } = purchase
  const { download, busyLine } = useDownload(orderId, onRefused)
  const icon = <Download className="icon" aria-hidden />
  return (
    <div className="stack">
      <OwnedNote purchase={purchase} />
      {delivery === 'file' ? (
        <Button
          tone="primary"
          isLarge
          isWide
          icon={icon}
          isBusy={busyLine !== null}
          onClick={() => void download(lineId)}
        >
          Download
        </Button>
      ) : (
        <LinkButton
          tone="primary"
          isLarge
          isWide
          href={delivery === 'course' ? `/learn/${lineId}` : `/orders/${orderId}`}
        >
          {delivery === 'code' ? 'Show your code' : delivery === 'course' ? 'Open the course' : 'Show your key'}
        </LinkButton>
      )}
    </div>
  )
}
