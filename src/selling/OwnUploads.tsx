import { Check } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../catalogue/add-product/AddProductUploads.tsx'
import { setProductFiles } from '../catalogue/catalogue.contract.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { formatBytes } from '../localisation/sizes.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import type { Uploaded } from '../uploads/uploader.rules.ts'
import type { OwnDetail } from './selling.contract.ts'
import type { Product } from '../catalogue/catalogue.contract.ts'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { Button } from '../ui/Button.tsx'
import { useFreshProduct, type Uploads } from '../catalogue/add-product/useAddProduct.ts'

const NOTHING: Uploads = { image: null, file: null }

type OwnImageProps = {
  /** With the image of the form. */
  product: Product
  onChange: (imageUrl: string | null) => void
}

/** The picture of a product: its own, or a generated cover. It changes when the form is saved. */
export function OwnImage({ product, onChange }: OwnImageProps) {
  const [uploads, setUploads] = useState(NOTHING)
  const fresh = uploads.image && product.imageUrl === uploads.image.url ? uploads : NOTHING
  return (
    <div className="own-image">
      {!fresh.image && <ProductImage product={product} sizes="12rem" isLazy={false} />}
      <AddProductUploads
        kinds={['image']}
        uploads={fresh}
        onChange={(next) => {
          setUploads(next)
          onChange(next.image?.url ?? null)
        }}
      />
      {product.imageUrl && (
        <Button tone="quiet" onClick={() => onChange(null)}>
          Remove the picture
        </Button>
      )}
    </div>
  )
}

/** The file that buyers get. An upload replaces it at once. */
export function OwnFile({ product: { id, file, status, sales } }: { product: OwnDetail }) {
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const refresh = useFreshProduct()

  async function replace(upload: Uploaded) {
    setProblem(null)
    try {
      const product = await call(setProductFiles, { id, digitalFileURL: upload.url, ...(note && { note }) })
      setNote('')
      refresh(product)
      const description = file
        ? 'New buyers get this file. Earlier buyers keep theirs.'
        : product.isActive
          ? 'Your product is on sale.'
          : 'Put your product on sale when you’re ready.'
      toast({ title: file ? 'File replaced' : 'File added', description })
    } catch (error) {
      setProblem(reasonOf(error, isRefusal) ?? 'We couldn’t add the file. Please try again.')
    }
  }

  return (
    <>
      {file ? (
        <p className="wrap-anywhere">
          <strong>{file.name}</strong>
          <span className="muted small">
            {' '}
            {formatBytes(file.sizeBytes)}, added {formatMoment(file.addedAt)}
          </span>{' '}
          {file.isChecked && (
            <Badge look="completed" icon={<Check className="icon" aria-hidden />}>
              Checked: it opens and is what its name says
            </Badge>
          )}
        </p>
      ) : (
        <p>{status === 'incomplete' ? 'Your product goes on sale once its file is here.' : 'No file yet.'}</p>
      )}
      {file && sales > 0 && (
        <Field
          label="Note to earlier buyers about the next file"
          note="optional"
          hint="They keep the file they bought. In their orders they find the new one with this note."
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
      <AddProductUploads
        kinds={['file']}
        uploads={{ image: null, file: null }}
        onChange={({ file: upload }) => upload && void replace(upload)}
      />
      <Problem>{problem}</Problem>
    </>
  )
}
