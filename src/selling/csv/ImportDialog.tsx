import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useCategories } from '../../catalogue/useCatalogue.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Segment } from '../../ui/form/Segment.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Note } from '../../ui/Note.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { type Format, type Import, MAX_BYTES, MAX_PRODUCTS, ROW_VIEWS, type RowView } from './csv.contract.ts'
import { useImport, useImportRows } from './useImport.ts'
import { FILES_AN_HOUR } from '../../uploads/uploader.rules.ts'

const FORMAT_NAMES: Record<Format, string> = {
  primo: 'a table with our columns',
  gumroad: 'a Gumroad file',
  shopify: 'a Shopify export',
  woocommerce: 'a WooCommerce export',
}
const VIEW_NAMES: Record<RowView, string> = {
  ready: 'Ready',
  noted: 'Without some variants',
  bad: 'With errors',
  known: 'Already there',
}
/** The value for no category, because a select has no empty value. */
const NONE = 'none'

const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export function ImportDialog(dialog: DialogProps) {
  const flow = useImport()
  const { found } = flow
  const isLooking = found?.state === 'preview' || found?.state === 'failed'
  const title = found?.state === 'done' ? 'Import finished' : isLooking ? 'Check the import' : 'Import products'
  return (
    <Dialog {...dialog} title={title}>
      {!found ? (
        <ChooseFile flow={flow} onClose={dialog.onClose} />
      ) : isLooking ? (
        <Preview key={found.id} found={found} flow={flow} />
      ) : (
        <Outcome found={found} flow={flow} onClose={dialog.onClose} />
      )}
    </Dialog>
  )
}

type Flow = ReturnType<typeof useImport>

function ChooseFile({ flow, onClose }: { flow: Flow; onClose: () => void }) {
  const { data: categories = [] } = useCategories()
  const [category, setCategory] = useState(NONE)
  const [file, setFile] = useState<File | null>(null)
  const [isTried, setTried] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const isTooLarge = file !== null && file.size > MAX_BYTES
  const wrong = isTooLarge
    ? `The file is larger than ${MAX_BYTES / 1024 / 1024} MB. Split it.`
    : isTried && !file
      ? 'Choose a file.'
      : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (flow.isReading) return
    setTried(true)
    if (file && !isTooLarge) flow.read(file, category === NONE ? '' : category)
    else picker.current?.focus()
  }
  return (
    <form className="dialog__form" noValidate onSubmit={submit}>
      <DialogBody>
        <Problem>{flow.problem}</Problem>
        <p>
          Choose an export of this shop, Shopify or WooCommerce, the product fields of Gumroad, or any table with the
          columns title and price. Nothing is added before you have seen what the file holds.
        </p>
        <Field
          label="CSV file"
          hint={`Up to ${MAX_PRODUCTS.toLocaleString('en')} products and ${MAX_BYTES / 1024 / 1024} MB`}
          {...(wrong && { error: wrong })}
        >
          {(field) => (
            <input
              {...field}
              ref={picker}
              className="input"
              type="file"
              accept=".csv,.txt,text/csv"
              onChange={({ target }) => setFile(target.files?.[0] ?? null)}
            />
          )}
        </Field>
        <Field label="Products without a category of ours">
          {(field) => (
            <Select
              {...field}
              options={[
                { value: NONE, label: 'Show them as errors' },
                ...categories.map(({ id, name }) => ({ value: id, label: `Put them in ${name}` })),
              ]}
              value={category}
              onChange={({ target }) => setCategory(target.value)}
            />
          )}
        </Field>
        {flow.isReading && (
          <div role="status">
            <p className="small muted">{flow.share < 1 ? 'Sending the file…' : 'Checking its rows…'}</p>
            <progress aria-label="Reading the file" value={flow.share < 1 ? flow.share : undefined} />
          </div>
        )}
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button tone="primary" type="submit" isBusy={flow.isReading}>
          Check the file
        </Button>
      </DialogFoot>
    </form>
  )
}

function Preview({ found, flow }: { found: Import; flow: Flow }) {
  const { ready, bad, format, fileName, columnsLeft, state } = found
  const states = ROW_VIEWS.filter((one) => found[one] > 0)
  const [shown, setShown] = useState<RowView>(bad > 0 ? 'bad' : found.noted > 0 ? 'noted' : (states[0] ?? 'ready'))
  const [skipsBad, setSkipsBad] = useState(false)
  const mayStart = ready > 0 && (bad === 0 || skipsBad)
  return (
    <>
      <DialogBody>
        {state === 'failed' && (
          <Problem>The import failed, and nothing was added. Its category may be gone. You can try again.</Problem>
        )}
        <p className="wrap-anywhere">
          <b>{fileName}</b> is {FORMAT_NAMES[format]}. {count(ready, 'product is', 'products are')} ready
          {bad > 0 && `, ${count(bad, 'row has', 'rows have')} errors`}
          {found.known > 0 && `, ${count(found.known, 'product is', 'products are')} in your list already`}.
        </p>
        {found.noted > 0 && (
          <Note Icon={TriangleAlert} title={`${count(found.noted, 'product loses', 'products lose')} variants`}>
            Only the first variant of each product is imported, with its price. The list below shows the variants left
            out.
          </Note>
        )}
        {columnsLeft.length > 0 && (
          <p className="small muted wrap-anywhere">Not imported from the file: {columnsLeft.join(', ')}.</p>
        )}
        {states.length > 1 && (
          <Segment
            label="Rows"
            options={states.map((value) => ({
              value,
              label: `${VIEW_NAMES[value]} (${found[value].toLocaleString('en')})`,
            }))}
            value={shown}
            onChange={setShown}
          />
        )}
        <Rows key={shown} id={found.id} state={shown} />
        {bad > 0 && ready > 0 && (
          <label className="check">
            <input type="checkbox" checked={skipsBad} onChange={({ target }) => setSkipsBad(target.checked)} />
            <span>Skip the {count(bad, 'row')} with errors</span>
          </label>
        )}
      </DialogBody>
      <DialogFoot>
        <Button tone="ghost" onClick={flow.reset}>
          Choose another file
        </Button>
        <Button tone="primary" disabled={!mayStart} isBusy={flow.isStarting} onClick={() => flow.start(skipsBad)}>
          Import {count(ready, 'product')}
        </Button>
      </DialogFoot>
    </>
  )
}

function Rows({ id, state }: { id: string; state: RowView }) {
  const { data, isPending, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useImportRows(id, state)
  const rows = data?.pages.flat() ?? []
  if (isPending) return <Skeleton height="12rem" />
  if (isError && rows.length === 0) return <ErrorState title="Couldn’t load the rows" onRetry={() => void refetch()} />
  return (
    <div>
      <ul className="list" aria-label={VIEW_NAMES[state]}>
        {rows.map(({ number, title, price, suggested, problem, note }) => (
          <li key={number} className="list__row">
            <span className="grow grow--column wrap-anywhere">
              <strong className="clamp-2">{title || 'No title'}</strong>
              <small>
                Row {number.toLocaleString('en')}
                {(problem ?? note) && `: ${problem ?? note}`}
              </small>
            </span>
            {price !== null && (
              <span className="money">
                {usd(toCents(price))}
                {suggested !== null && ' or more'}
              </span>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="row row--center more">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function Outcome({ found, flow, onClose }: { found: Import; flow: Flow; onClose: () => void }) {
  const { state, made, ready } = found
  if (state === 'running')
    return (
      <DialogBody>
        <p role="status">Importing {count(ready, 'product')}. You can close this; the import goes on.</p>
        <progress aria-label="Products imported" value={made} max={Math.max(1, ready)} />
      </DialogBody>
    )
  return (
    <>
      <DialogBody>
        <p role="status">
          <b>{count(made, 'draft')} added.</b> Shoppers don’t see drafts. Add each one’s file, up to {FILES_AN_HOUR} an
          hour, then put it on sale.
        </p>
        <p className="small muted">Undo deletes these drafts again, except those you have changed.</p>
      </DialogBody>
      <DialogFoot>
        <Button tone="ghost" isBusy={flow.isUndoing} onClick={flow.undo}>
          Undo
        </Button>
        <Button
          tone="primary"
          onClick={() => {
            flow.reset()
            onClose()
          }}
        >
          Done
        </Button>
      </DialogFoot>
    </>
  )
}
