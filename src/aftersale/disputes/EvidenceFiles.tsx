import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Drop, UploaderDialog } from '../../catalogue/add-product/AddProductUploads.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { firstOf } from '../../kit/values/required.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { AttachedFile, Free } from './evidenceFile.contract.ts'
import { MAX_EVIDENCE_PAGES } from './evidenceFile.rules.ts'

type Shows = AttachedFile['shows']
type NewFile = { uploadURL: string; shows: Shows }

const SHOWN: Record<Shows, string> = {
  messages: 'Messages with the buyer',
  use: 'Delivery or use of the product',
  other: 'Something else',
}

type EvidenceFilesProps = {
  /** Title of the uploader. Another dispute needs another title, because unfinished uploads are stored under it. */
  title: string
  files: AttachedFile[]
  free: Free
  canChange: boolean
  hrefOf: (file: AttachedFile) => string
  attach: (file: NewFile) => Promise<unknown>
  detach: (fileId: string) => Promise<unknown>
}

/** The files that the store sends to the payment provider with its answer, at most one of each kind. */
export function EvidenceFiles({ title, files, free, canChange, hrefOf, attach, detach }: EvidenceFilesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { isBusy, change } = useChange()
  const isFull = free.kinds.length === 0 || free.bytes <= 0
  const wasFull = useRef(isFull)
  useEffect(() => {
    // the uploader, which has gone, had the focus
    if (isFull && !wasFull.current && document.activeElement === document.body) heading.current?.focus()
    wasFull.current = isFull
  }, [isFull])
  if (files.length === 0 && !canChange) return null
  const focusHeading = () => heading.current?.focus()
  const remove = async (id: string) => {
    // the button of the removed file had the focus
    if ((await change(() => detach(id), 'File removed')) === 'done') focusHeading()
  }
  return (
    <section className="stack" aria-label="Files for the payment provider">
      <h3 ref={heading} tabIndex={-1} className="text-16">
        Files for the payment provider
      </h3>
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
                  onClick={() => !isBusy && void remove(file.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {canChange && !isFull && <AddFile title={title} free={free} attach={attach} onAttachedAgain={focusHeading} />}
      {canChange && isFull && (
        <p className="muted small">
          {free.kinds.length === 0
            ? 'This dispute has a file of each kind.'
            : 'The files of this dispute have 4.5 MB together, which is the maximum.'}{' '}
          The sellers of an order and staff share this limit.
        </p>
      )}
    </section>
  )
}

type AddFileProps = Pick<EvidenceFilesProps, 'title' | 'free' | 'attach'> & { onAttachedAgain: () => void }

function AddFile({ title, free, attach, onAttachedAgain }: AddFileProps) {
  const { isBusy, change } = useChange()
  const [chosen, setChosen] = useState<Shows>('messages')
  // an upload that could not be attached, because the connection was lost
  const [waiting, setWaiting] = useState<NewFile | null>(null)
  const shows = free.kinds.find((kind) => kind === chosen) ?? firstOf(free.kinds)
  // the kind of the file while the uploader is open, because the choice may change during an upload
  const [opened, setOpened] = useState<Shows | null>(null)
  // the file may be attached although the answer of the server was lost
  const again = waiting && free.kinds.includes(waiting.shows) ? waiting : null
  const send = async (file: NewFile) => {
    const outcome = await change(() => attach(file), 'File attached')
    setWaiting(outcome === 'interrupted' ? file : null)
    return outcome
  }
  const sendAgain = async (file: NewFile) => {
    // the pressed button disappears
    if ((await send(file)) !== 'interrupted') onAttachedAgain()
  }
  return (
    <>
      <Field label="The next file shows">
        {(field) => (
          <Select
            {...field}
            value={shows}
            options={free.kinds.map((value) => ({ value, label: SHOWN[value] }))}
            onChange={({ target }) => setChosen(target.value as Shows)}
          />
        )}
      </Field>
      <Drop kind="evidence" title={title} upload={null} isOpen={opened !== null} onPress={() => setOpened(shows)} />
      <UploaderDialog
        use="evidence"
        title={title}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        onUploaded={({ url }) => void send({ uploadURL: url, shows: opened ?? shows })}
      />
      {again && (
        <Button className="self-start" isBusy={isBusy} onClick={() => void sendAgain(again)}>
          Attach again
        </Button>
      )}
      <p className="muted small">
        One file of each kind, together up to 4.5 MB, of which {formatBytes(free.bytes)} are free. A PDF has at most{' '}
        {MAX_EVIDENCE_PAGES} pages. The store sends the files to the payment provider with its answer.
      </p>
    </>
  )
}

/** 'interrupted' by a lost connection, a busy server or a rate limit. */
type Outcome = 'done' | 'refused' | 'interrupted'

const isFinal = (error: unknown) => error instanceof Failure && error.status < 500 && error.status !== 429

/** Runs one change at a time, and shows its outcome. */
function useChange() {
  const [isBusy, setBusy] = useState(false)
  const change = async (run: () => Promise<unknown>, done: string): Promise<Outcome> => {
    setBusy(true)
    try {
      await run()
      toast({ title: done })
      return 'done'
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change the files. Please try again.')
      return isFinal(error) ? 'refused' : 'interrupted'
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, change }
}
