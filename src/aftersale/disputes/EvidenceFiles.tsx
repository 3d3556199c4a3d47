import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../../catalogue/add-product/AddProductUploads.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { SHOWN_BY_FILES } from '../../payments/disputes/disputes.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { AttachedFile } from './evidenceFile.contract.ts'

type Shows = AttachedFile['shows']

const SHOWN: Record<Shows, string> = {
  messages: 'Messages with the buyer',
  use: 'Delivery or use of the product',
  other: 'Something else',
}
const NONE = { image: null, file: null }

type EvidenceFilesProps = {
  files: AttachedFile[]
  canChange: boolean
  hrefOf: (file: AttachedFile) => string
  attach: (file: { uploadURL: string; shows: Shows }) => Promise<unknown>
  detach: (fileId: string) => Promise<unknown>
}

/** The files that go to the payment provider with the answer, at most one of each kind. */
export function EvidenceFiles({ files, canChange, hrefOf, attach, detach }: EvidenceFilesProps) {
  const [isBusy, setBusy] = useState(false)
  const free = SHOWN_BY_FILES.filter((kind) => files.every(({ shows }) => shows !== kind))
  const [chosen, setChosen] = useState<Shows>('messages')
  const shows = free.find((kind) => kind === chosen) ?? free[0]
  if (files.length === 0 && !canChange) return null
  const change = async (run: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await run()
      toast({ title: done })
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change the files. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="stack" aria-label="Files for the payment provider">
      <h3 className="text-16">Files for the payment provider</h3>
      {files.length > 0 && (
        <ul className="list" aria-label="Attached files">
          {files.map((file) => (
            <li key={file.id} className="list__row">
              <span className="grow wrap-anywhere">
                <a className="text-link" href={hrefOf(file)} download>
                  {isolateRtl(file.fileName)}
                </a>
                <small>
                  {SHOWN[file.shows]}, {formatBytes(file.sizeBytes)}, from {isolateRtl(file.by)}
                </small>
              </span>
              {canChange && (
                <IconButton
                  label={`Remove ${file.fileName}`}
                  icon={<Trash2 className="icon" aria-hidden />}
                  aria-disabled={isBusy || undefined}
                  onClick={() => !isBusy && void change(() => detach(file.id), 'File removed')}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {canChange && shows && (
        <>
          <Field label="The next file shows">
            {(field) => (
              <Select
                {...field}
                value={shows}
                options={free.map((value) => ({ value, label: SHOWN[value] }))}
                onChange={({ target }) => setChosen(target.value as Shows)}
              />
            )}
          </Field>
          <AddProductUploads
            kinds={['evidence']}
            uploads={NONE}
            onChange={({ file }) => file && void change(() => attach({ uploadURL: file.url, shows }), 'File attached')}
          />
          <p className="muted small">
            One file of each kind, together up to 4.5 MB. The answer of the store sends them.
          </p>
        </>
      )}
    </section>
  )
}
