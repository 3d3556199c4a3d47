import './previewEditor.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, BookOpen, FileText, Headphones, Scissors, Trash2, Video } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { inOrder, keyOf, query } from '../../kit/query/query.client.ts'
import { moved } from '../../kit/values/moved.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { AddProductUploads } from '../add-product/AddProductUploads.tsx'
import { cutOf } from './cut/cut.rules.ts'
import {
  addPreview,
  arrangePreviews,
  cutSample,
  type Extent,
  getPreviews,
  MAX_PREVIEWS,
  measureSample,
  type Preview,
} from './previews.contract.ts'
import { describeCut } from './sample.rules.ts'

const ICONS = { audio: Headphones, video: Video, pdf: FileText, epub: BookOpen }
const NONE = { image: null, file: null }

type PreviewEditorProps = {
  productId: string
  /** The first file on sale, from which the shop can cut a sample. */
  fileName: string | undefined
}

export function PreviewEditor({ productId, fileName }: PreviewEditorProps) {
  const cache = useQueryClient()
  const key = keyOf(getPreviews, { id: productId })
  const {
    data: previews,
    isError,
    refetch,
  } = useQuery({ ...query(getPreviews, { id: productId }), refetchOnMount: 'always' })
  const [isBusy, setBusy] = useState(false)
  const [extent, setExtent] = useState<Extent | null>(null)
  if (isError) return <ErrorState title="Couldn’t load the previews" onRetry={() => void refetch()} />
  if (!previews) return <Skeleton height="8rem" />

  async function change(run: () => Promise<Preview[]>, ahead?: Preview[]): Promise<boolean> {
    if (ahead) cache.setQueryData(key, ahead)
    setBusy(true)
    try {
      cache.setQueryData(key, await inOrder(`previews ${productId}`, run))
      return true
    } catch (error) {
      if (ahead) cache.setQueryData(key, previews)
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change the previews. Please try again.')
      return false
    } finally {
      setBusy(false)
    }
  }
  const arrange = (next: Preview[]) =>
    change(() => call(arrangePreviews, { id: productId, previews: next.map(({ id, alt }) => ({ id, alt })) }), next)
  const move = (from: number, by: 1 | -1) => {
    if (isBusy || from + by < 0 || from + by >= previews.length) return
    void arrange(moved(previews, from, from + by))
  }
  const add = (upload: Uploaded | null) => {
    if (!upload) return
    const alt = upload.name.replace(/\.\w+$/, '').slice(0, 200) || 'Preview'
    void change(() => call(addPreview, { id: productId, uploadURL: upload.url, alt }))
  }
  const remove = async (preview: Preview) => {
    if (await arrange(previews.filter((one) => one !== preview))) toast({ title: 'Preview removed' })
  }
  const measure = async () => {
    setBusy(true)
    try {
      setExtent(await call(measureSample, { id: productId }))
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t read the file. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  const cut = async ({ shown, whole }: Extent) => {
    if (await change(() => call(cutSample, { id: productId, shown, whole }))) toast({ title: 'Sample added' })
  }
  const images = previews.filter(({ kind }) => kind === 'image').length
  const hasCut = previews.some(({ shown }) => shown !== null)
  const start = fileName === undefined || hasCut ? null : cutOf(fileName)
  return (
    <div className="stack gap-4">
      {previews.length > 0 && (
        <ol className="preview-rows">
          {previews.map((preview, i) => (
            <li key={preview.id} className="row row--nowrap">
              <Picture preview={preview} />
              <AltField preview={preview} onSave={(alt) => arrange(previews.with(i, { ...preview, alt }))} />
              <span className="row row--nowrap gap-1">
                <IconButton
                  label={`Move ${preview.alt} up`}
                  icon={<ArrowUp className="icon" aria-hidden />}
                  aria-disabled={i === 0 || isBusy || undefined}
                  onClick={() => move(i, -1)}
                />
                <IconButton
                  label={`Move ${preview.alt} down`}
                  icon={<ArrowDown className="icon" aria-hidden />}
                  aria-disabled={i === previews.length - 1 || isBusy || undefined}
                  onClick={() => move(i, 1)}
                />
                <IconButton
                  label={`Remove ${preview.alt}`}
                  icon={<Trash2 className="icon" aria-hidden />}
                  aria-disabled={isBusy || undefined}
                  onClick={() => !isBusy && void remove(preview)}
                />
              </span>
            </li>
          ))}
        </ol>
      )}
      {images < MAX_PREVIEWS.image && (
        <div className="stack gap-2">
          <h3 className="text-14">
            Add a picture, {images} of {MAX_PREVIEWS.image} used
          </h3>
          <AddProductUploads kinds={['preview']} uploads={NONE} onChange={({ image }) => add(image)} />
        </div>
      )}
      <div className="stack gap-2">
        <h3 className="text-14">Add a sample: one recording, one film, one PDF, one EPUB, each up to 20 MB</h3>
        {start && (
          <div className="stack gap-1">
            <Button
              className="self-start"
              icon={<Scissors className="icon" aria-hidden />}
              isBusy={isBusy}
              onClick={() => void measure()}
            >
              Use {start}
            </Button>
            <p className="muted small wrap-anywhere">
              Cut from <bdi>{fileName}</bdi>. Visitors can open this part only. If you replace the file, the sample is
              removed.
            </p>
          </div>
        )}
        {extent && (
          <ConfirmDialog
            isOpen
            title="Show this sample?"
            label="Show the sample"
            onClose={() => setExtent(null)}
            onConfirm={() => void cut(extent)}
          >
            {describeCut(extent)} Everybody can open this part without buying.
          </ConfirmDialog>
        )}
        <AddProductUploads kinds={['sample']} uploads={NONE} onChange={({ file }) => add(file)} />
      </div>
    </div>
  )
}

function Picture({ preview: { kind, url, sizeBytes } }: { preview: Preview }) {
  if (kind === 'image')
    return (
      <span className="frame thumb thumb--sm">
        <img src={url} alt="" />
      </span>
    )
  const Icon = ICONS[kind]
  return (
    <span className="preview-rows__kind small muted">
      <Icon className="icon" aria-hidden />
      {formatBytes(sizeBytes)}
    </span>
  )
}

function AltField({ preview, onSave }: { preview: Preview; onSave: (alt: string) => Promise<boolean> }) {
  const [typed, setTyped] = useState(preview.alt)
  const save = async () => {
    const alt = typed.trim()
    if (alt === '') setTyped(preview.alt)
    else if (alt !== preview.alt && !(await onSave(alt))) setTyped(preview.alt)
  }
  return (
    <input
      className="input grow"
      aria-label={
        preview.kind === 'image' ? `What the picture ${preview.alt} shows` : `Name of the sample ${preview.alt}`
      }
      autoComplete="off"
      maxLength={200}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // prevents Enter from submitting the product's form around this field
        event.preventDefault()
        void save()
      }}
    />
  )
}
