import { Copy, Eye } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { revealCodes } from './codes.contract.ts'
import { isRefused, describeRefusal } from '../refusal.rules.ts'

type RevealSheetProps = {
  orderId: string
  lineId: string
  title: string
  count: number
  onClose: () => void
  /** The server refuses to show them, and will refuse again. */
  onRefused: () => void
}

/** The codes of a line, masked until the member reveals them. Closing the sheet forgets them. */
export function RevealSheet({ orderId, lineId, title, count, onClose, onRefused }: RevealSheetProps) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const reveal = async () => {
    setBusy(true)
    try {
      setCodes((await call(revealCodes, { id: orderId, lineId })).codes)
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t show the code. Please try again.'))
      if (!isRefused(error)) return
      setOver(true)
      onRefused()
    } finally {
      setBusy(false)
    }
  }
  const rows = codes ?? Array.from({ length: count }, () => null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description="Anyone who has the code can spend it. We record each time it’s shown."
    >
      <DialogBody>
        <ul className="list" aria-live="polite">
          {rows.map((code, index) => (
            <li key={index} className="code">
              <output className="mono">{code ?? <span aria-label="Hidden">•••• •••• ••••</span>}</output>
              {code && (
                <IconButton
                  label="Copy code"
                  icon={<Copy className="icon" aria-hidden />}
                  onClick={() => void copyText(code, 'The code')}
                />
              )}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFoot>
        {codes || isOver ? (
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button
            tone="primary"
            icon={<Eye className="icon" aria-hidden />}
            isBusy={isBusy}
            onClick={() => void reveal()}
          >
            Reveal
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
