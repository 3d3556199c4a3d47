import { useEffect, useRef } from 'react'
import { Award, Copy, Download } from 'lucide-react'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Link } from '../../ui/Link.tsx'
import { Ticket, TicketPart } from '../../ui/Ticket.tsx'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { certificatePath } from './certificate.rules.ts'
import type { Certificate } from './learning.contract.ts'

type CertificateProps = { lineId: string; certificate: Certificate; isNew: boolean }

export function CertificateCard({ lineId, certificate, isNew }: CertificateProps) {
  const { number, name, title, lessons, completedAt } = certificate
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew) card.current?.scrollIntoView({ block: 'center' })
  }, [isNew])
  return (
    <section ref={card} className="section" aria-label="Certificate">
      <Ticket isRow className="cert">
        <TicketPart className="stack gap-4 roomy grow">
          <div>
            <p className="muted small">Certificate of completion</p>
            <h2 className="text-18">{title}</h2>
            <p className="small">
              Completed by {name ?? 'you'}: {plural(lessons, 'lesson')}.
            </p>
          </div>
          <dl className="receipt">
            <div>
              <dt>Completed</dt>
              <dd>{formatDay(completedAt)}</dd>
            </div>
            <div>
              <dt>Number</dt>
              <dd className="mono">{number}</dd>
            </div>
          </dl>
        </TicketPart>
        <TicketPart className="stack roomy">
          <Badge look="completed" icon={<Award className="icon" aria-hidden />}>
            Can be checked by anyone
          </Badge>
          {name === null ? (
            <p className="small">
              Your name is missing.{' '}
              <Link className="text-link" href="/profile">
                Add it to your profile
              </Link>
              , then save the PDF.
            </p>
          ) : (
            <Button
              tone="primary"
              isWide
              icon={<Download className="icon" aria-hidden />}
              onClick={() => startDownload(`/api/learn/${lineId}/certificate`, `certificate-${number}.pdf`)}
            >
              Save as PDF
            </Button>
          )}
          <Button
            isWide
            icon={<Copy className="icon" aria-hidden />}
            onClick={() => void copyText(new URL(certificatePath(number), location.href).href, 'The link')}
          >
            Copy link
          </Button>
        </TicketPart>
      </Ticket>
    </section>
  )
}
