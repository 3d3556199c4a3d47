import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../catalogue/add-product/AddProductUploads.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import type { OwnDetail } from './selling.contract.ts'
import { useOwnFiles } from './useOwnFiles.ts'

type OwnFileDialogProps = {
  product: OwnDetail
  fileId: string
  onClose: () => void
}

export function OwnFileDialog({ product, fileId, onClose }: OwnFileDialogProps) {
  const { files, sales } = product
  const { upload, arrange, problem, isBusy } = useOwnFiles(product)
  const place = files.findIndex(({ id }) => id === fileId)
  const file = files[place]!
  const [name, setName] = useState(file.name)
  const [note, setNote] = useState('')

  const move = (by: 1 | -1) => {
    const next = files.toSpliced(place, 1)
    void arrange(next.toSpliced(place + by, 0, file))
  }
  const rename = async () => {
    const next = files.map((one) => (one.id === fileId ? { ...one, name } : one))
    if (await arrange(next)) toast({ title: 'Name saved' })
  }
  const remove = async () => {
    const next = files.filter(({ id }) => id !== fileId)
    if (await arrange(next, fileId)) toast({ title: 'File removed', description: 'Earlier buyers keep it.' })
  }
  return (
    <Dialog isOpen onClose={onClose} title={file.name} description={`File ${place + 1} of ${files.length}.`}>
      <DialogBody>
        <form
          className="stack gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            // otherwise React would also submit the product form, because the dialog is its child
            event.stopPropagation()
            if (!isBusy) void rename()
          }}
        >
          <Field label="File name" hint="The ending stays as it is.">
            {(control) => (
              <input
                className="input"
                autoComplete="off"
                maxLength={200}
                value={name}
                onChange={({ target }) => setName(target.value)}
                {...control}
              />
            )}
          </Field>
          <Button type="submit" className="self-start" isBusy={isBusy} disabled={!name.trim() || name === file.name}>
            Save the name
          </Button>
        </form>
        {files.length > 1 && (
          <div className="row gap-2" role="group" aria-label="Order">
            <Button icon={<ArrowUp className="icon" aria-hidden />} disabled={place === 0} onClick={() => move(-1)}>
              Move up
            </Button>
            <Button
              icon={<ArrowDown className="icon" aria-hidden />}
              disabled={place === files.length - 1}
              onClick={() => move(1)}
            >
              Move down
            </Button>
          </div>
        )}
        {sales > 0 && (
          <Field
            label="Note to earlier buyers about the next version"
            note="optional"
            hint="They keep the file they bought. In their library they find the new one with this note."
          >
            {(control) => (
              <textarea
                className="input"
                maxLength={1000}
                value={note}
                onChange={({ target }) => setNote(target.value)}
                {...control}
              />
            )}
          </Field>
        )}
        <div className="stack gap-2">
          <h3 className="text-14">Replace this file</h3>
          <AddProductUploads
            kinds={['file']}
            uploads={{ image: null, file: null }}
            onChange={({ file: next }) => next && void upload(next, { fileId, ...(note && { note }) })}
          />
        </div>
        <Problem>{problem}</Problem>
      </DialogBody>
      <DialogFoot>
        {files.length > 1 && (
          <Button tone="bad-line" isBusy={isBusy} onClick={() => void remove()}>
            Take it out
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  )
}
