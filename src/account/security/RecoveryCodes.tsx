import { Copy, Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { DialogBody, DialogFoot } from '../../ui/Dialog.tsx'

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
  const said = useRef<HTMLParagraphElement>(null)
  // the field that had the focus is gone
  useEffect(() => said.current?.focus(), [])
  return (
    <>
      <DialogBody>
        <p ref={said} tabIndex={-1}>
          <strong>Two-factor authentication is on.</strong> Keep these recovery codes where you will find them without
          your phone. Each signs you in once, and they are shown only now.
        </p>
        <ul className="codes num">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="row gap-2">
          <Button
            icon={<Copy className="icon" aria-hidden />}
            onClick={() => void copyText(text, 'The list of recovery codes')}
          >
            Copy
          </Button>
          <Button icon={<Download className="icon" aria-hidden />} onClick={() => save(text)}>
            Save as a file
          </Button>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button tone="primary" onClick={onDone}>
          I have kept them
        </Button>
      </DialogFoot>
    </>
  )
}

function save(text: string) {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
