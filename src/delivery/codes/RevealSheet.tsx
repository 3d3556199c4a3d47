import './reveal.css'
import { Copy, Eye, Flag, Printer, QrCode as QrIcon } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Menu, type MenuItem } from '../../ui/menu/Menu.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { noteCopy, revealCodes, type RevealedCode, setCodeUsed } from './codes.contract.ts'
import { describeReport } from '../cases/case.texts.rules.ts'
import type { CodeReport } from '../cases/report.contract.ts'
import { isRefused, describeRefusal } from '../refusal.rules.ts'

const ReportCode = lazyPart(() => import('../cases/ReportCode.tsx'), 'ReportCode', <Skeleton height="14rem" />)

type RevealSheetProps = {
  orderId: string
  lineId: string
  title: string
  count: number
  onClose: () => void
  onRefused: () => void
}

export function RevealSheet({ orderId, lineId, title, count, onClose, onRefused }: RevealSheetProps) {
  const [codes, setCodes] = useState<RevealedCode[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const refuse = (error: unknown, otherwise: string) => {
    toastFailure(error, describeRefusal(error, otherwise))
    if (!isRefused(error)) return
    setCodes(null)
    setOver(true)
    onRefused()
  }
  const reveal = async () => {
    setBusy(true)
    try {
      setCodes((await call(revealCodes, { id: orderId, lineId })).codes)
    } catch (error) {
      refuse(error, 'We couldn’t show the code. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  const copy = async ({ id: codeId }: RevealedCode, text: string, what: string) => {
    // recorded even if the browser blocks the copy, because the buyer has the code
    void call(noteCopy, { id: orderId, lineId, codeId }).catch(() => undefined)
    await copyText(text, what)
  }
  const setReport = (codeId: string, report: RevealedCode['report']) =>
    setCodes((now) => now?.map((one) => (one.id === codeId ? { ...one, report } : one)) ?? null)
  const setUsed = async (changed: RevealedCode, isUsed: boolean) => {
    const show = (used: boolean) =>
      setCodes((now) => now?.map((one) => (one.id === changed.id ? { ...one, isUsed: used } : one)) ?? null)
    show(isUsed)
    try {
      await call(setCodeUsed, { id: orderId, lineId, codeId: changed.id, isUsed })
    } catch (error) {
      show(!isUsed)
      refuse(error, 'We couldn’t keep that note. Please try again.')
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description="Anyone who has the code can spend it. We record each time it’s shown or copied."
    >
      <DialogBody>
        <p className="sr" role="status">
          {codes && `${plural(codes.length, 'code')} shown`}
        </p>
        <ul className="list codes">
          {codes
            ? codes.map((one) => (
                <CodeRow
                  key={one.id}
                  code={one}
                  line={{ id: orderId, lineId }}
                  onReported={(report) => setReport(one.id, report)}
                  onCopy={(text, what) => void copy(one, text, what)}
                  onUsed={(isUsed) => void setUsed(one, isUsed)}
                />
              ))
            : Array.from({ length: count }, (_, index) => (
                <li key={index}>
                  <span className="code">
                    <output className="mono">
                      <span aria-label="Hidden">•••• •••• ••••</span>
                    </output>
                  </span>
                </li>
              ))}
        </ul>
      </DialogBody>
      <DialogFoot>
        {codes && (
          <Button icon={<Printer className="icon" aria-hidden />} onClick={() => print()}>
            Print
          </Button>
        )}
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

type CodeRowProps = {
  code: RevealedCode
  line: { id: string; lineId: string }
  onCopy: (text: string, what: string) => void
  onUsed: (isUsed: boolean) => void
  onReported: (report: CodeReport) => void
}

function CodeRow({ code: { id, code, pin, serial, isUsed, report }, line, onCopy, onUsed, onReported }: CodeRowProps) {
  const [hasQr, setHasQr] = useState(false)
  const [isReporting, setReporting] = useState(false)
  const items: MenuItem[] = [
    {
      label: hasQr ? 'Hide QR code' : 'QR code',
      icon: <QrIcon className="icon" aria-hidden />,
      onChoose: () => setHasQr(!hasQr),
    },
  ]
  if (!report && !isReporting)
    items.push({
      label: 'Report a bad code',
      icon: <Flag className="icon" aria-hidden />,
      onChoose: () => setReporting(true),
    })
  return (
    <li className={isUsed ? 'is-used' : ''}>
      <span className="code">
        <output className="mono">{code}</output>
        <span className="row gap-2">
          <CopyButton label="Copy code" onPress={() => onCopy(code, 'The code')} />
          <Menu label="More for this code" items={items} />
        </span>
      </span>
      {(pin || serial) && (
        <dl className="code__parts">
          {pin && (
            <div>
              <dt>PIN</dt>
              <dd className="row row--nowrap gap-2">
                <span className="mono">{pin}</span>
                <CopyButton label="Copy PIN" onPress={() => onCopy(pin, 'The PIN')} />
              </dd>
            </div>
          )}
          {serial && (
            <div>
              <dt>Serial number</dt>
              <dd className="mono">{serial}</dd>
            </div>
          )}
        </dl>
      )}
      {hasQr && <QrCode text={code} label="The code as a QR code" />}
      <label className="check">
        <input type="checkbox" checked={isUsed} onChange={({ target }) => onUsed(target.checked)} />
        <span>I have used it</span>
      </label>
      {report ? (
        <p className="small" role="status">
          {describeReport(report)}
        </p>
      ) : (
        isReporting && <ReportCode {...{ line, onReported }} codeId={id} onCancel={() => setReporting(false)} />
      )}
    </li>
  )
}

const CopyButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  <Button tone="soft" icon={<Copy className="icon" aria-hidden />} aria-label={label} onClick={onPress}>
    Copy
  </Button>
)
