import { Copy } from 'lucide-react'
import type { Enrolment } from '../../identity/second-factor/secondFactor.contract.ts'
import { inGroups } from '../../identity/second-factor/totp.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'

/** The key of an authenticator app: to scan, to open on this phone, or to type. */
export const KeyCard = ({ enrolment: { key, uri, qr } }: { enrolment: Enrolment }) => (
  <div className="keycard">
    <svg className="keycard__qr" viewBox={`0 0 ${qr.size} ${qr.size}`} shapeRendering="crispEdges" role="img">
      <title>QR code with the setup key; the same key is shown next to it as text</title>
      <rect width={qr.size} height={qr.size} fill="#fff" />
      <path d={qr.path} fill="#000" />
    </svg>
    <div className="stack gap-2">
      <p>Scan this with your authenticator app, or type the key:</p>
      <code>{inGroups(key, ' ')}</code>
      <div className="row gap-2">
        <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(key, 'The key')}>
          Copy
        </Button>
        <a className="btn btn--quiet" href={uri}>
          Open in app
        </a>
      </div>
    </div>
  </div>
)
