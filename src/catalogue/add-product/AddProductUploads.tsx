import './addProduct.css'
import { Check, Upload } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../identity/sessions/useSession.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { uploaderId, useStopped } from '../../uploads/parts/stopped.client.ts'
import { readTerms } from '../../uploads/terms.client.ts'
import { kindOf, TITLES, type Uploaded, type UploadUse } from '../../uploads/uploader.rules.ts'
import type { Uploads } from './useAddProduct.ts'

const loadDialog = () => import('../../uploads/UploaderDialog.tsx')
export const UploaderDialog = lazyDialog(loadDialog, 'UploaderDialog')
const near = () =>
  void loadDialog().then(
    ({ loadUploader }) => loadUploader(),
    () => undefined,
  )

type ProductUse = Exclude<UploadUse, 'evidence'>

const DONE: Record<ProductUse, string> = {
  image: 'Image uploaded successfully!',
  file: 'Digital file uploaded successfully!',
  files: 'Digital file uploaded successfully!',
  preview: 'Preview picture uploaded successfully!',
  sample: 'Sample uploaded successfully!',
}

type AddProductUploadsProps = {
  uploads: Uploads
  onChange: (uploads: Uploads) => void
  kinds?: ProductUse[]
  most?: number
}

export function AddProductUploads({ uploads, onChange, kinds = ['image', 'file'], most = 1 }: AddProductUploadsProps) {
  const [open, setOpen] = useState<ProductUse | null>(null)
  const [opened, setOpened] = useState<ProductUse[]>([])
  const show = (kind: ProductUse) => {
    setOpened([...opened, kind])
    setOpen(kind)
  }
  const keep = (use: ProductUse, upload: Uploaded) => {
    const kind = kindOf(use)
    const old = uploads[kind]?.previewUrl
    if (old) URL.revokeObjectURL(old)
    onChange({ ...uploads, [kind]: upload })
    toast({ title: DONE[use] })
  }
  return (
    <div className="formgrid formgrid--files">
      {kinds.map((kind) => (
        <div key={kind}>
          <Drop
            kind={kind}
            title={TITLES[kind]}
            upload={uploads[kindOf(kind)]}
            isOpen={open === kind}
            onPress={() => show(kind)}
          />
          {opened.includes(kind) && (
            <UploaderDialog
              use={kind}
              most={most}
              isOpen={open === kind}
              onClose={() => setOpen(null)}
              onUploaded={(upload) => keep(kind, upload)}
            />
          )}
        </div>
      ))}
    </div>
  )
}

/** Unfinished uploads are stored under the title. */
type DropProps = { kind: UploadUse; title: string; upload: Uploaded | null; isOpen: boolean; onPress: () => void }

export function Drop({ kind, title, upload, isOpen, onPress }: DropProps) {
  const stopped = useStopped(uploaderId(title, useSession().user?.id ?? ''), isOpen)
  return (
    <button type="button" className={`drop ${upload ? 'drop--done' : ''}`} onClick={onPress} onPointerEnter={near}>
      {upload?.previewUrl ? (
        <span className="frame thumb thumb--sm">
          <img src={upload.previewUrl} alt="" />
        </span>
      ) : (
        <span className="drop__icon">
          <Upload className="icon" aria-hidden />
        </span>
      )}
      <span className="drop__text">
        <strong>{title}</strong>
        <small>{upload ? `${upload.name}, ${formatBytes(upload.sizeBytes)}` : readTerms(kind).note}</small>
        {stopped && (
          <small className="wrap-anywhere">
            “{stopped.name}” stopped at {stopped.percent}%. Open to resume the upload.
          </small>
        )}
      </span>
      {upload && <Check className="icon drop__check" aria-label="Uploaded" />}
    </button>
  )
}
