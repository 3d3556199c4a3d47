import { EyeOff, ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { toast } from '../ui/toasts/toast.client.ts'
import type { UploadKind } from '../uploads/uploader.rules.ts'
import { AddProductUploads } from './add-product/AddProductUploads.tsx'
import type { ProductDetail } from './catalogue.contract.ts'
import { FILE_WANTED } from './standing.rules.ts'
import { addFiles, type Uploads, useFreshProduct } from './add-product/useAddProduct.ts'

export function OwnerFiles({ product }: { product: ProductDetail }) {
  const { isFileMissing, imageUrl } = product
  const [uploads, setUploads] = useState<Uploads>({ image: null, file: null })
  const [problem, setProblem] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const refresh = useFreshProduct()
  const kinds: UploadKind[] = [...(isFileMissing ? (['file'] as const) : []), ...(imageUrl ? [] : (['image'] as const))]

  async function add(next: Uploads) {
    setUploads(next)
    setBusy(true)
    const added = await addFiles(product, next)
    setBusy(false)
    setProblem(added.problem)
    setRefused(added.isRefused === true)
    if (added.isRefused) setUploads({ image: null, file: null })
    refresh(added.product)
    if (added.problem) return
    setUploads({ image: null, file: null })
    if (isFileMissing && added.product.isActive)
      toast({ title: 'Your product is listed', description: 'Everyone can find and buy it now.' })
  }
  return (
    <section className="buy__owner stack" aria-label="Your product">
      <Note Icon={isFileMissing ? EyeOff : ImagePlus} title={isFileMissing ? FILE_WANTED : 'Add an image'}>
        {isFileMissing
          ? 'Only you can see this page. Your product goes on sale once its file is uploaded.'
          : 'Until then, we show a generated cover.'}
      </Note>
      <AddProductUploads uploads={uploads} onChange={(next) => void add(next)} kinds={kinds} />
      <div role="alert">
        {problem && (
          <p className="row row--between small">
            <span className="grow">{problem}</span>
            {isRefused ? (
              'Please choose another file.'
            ) : (
              <Button tone="quiet" isBusy={isBusy} onClick={() => void add(uploads)}>
                Try again
              </Button>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
