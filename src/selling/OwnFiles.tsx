import { Check, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../catalogue/add-product/AddProductUploads.tsx'
import { MOST_FILES } from '../catalogue/catalogue.contract.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { formatBytes } from '../localisation/sizes.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Problem } from '../ui/Problem.tsx'
import type { OwnDetail } from './selling.contract.ts'
import { useOwnFiles } from './useOwnFiles.ts'

const OwnFileDialog = lazyDialog(() => import('./OwnFileDialog.tsx'), 'OwnFileDialog')

/** The files that buyers get. Each change holds at once. */
export function OwnFiles({ product }: { product: OwnDetail }) {
  const { files, status } = product
  const [openId, setOpenId] = useState<string | null>(null)
  const { upload, problem } = useOwnFiles(product)
  return (
    <>
      {files.length === 0 && (
        <p>{status === 'incomplete' ? 'Your product goes on sale once its file is here.' : 'No file yet.'}</p>
      )}
      <ul className="own-files">
        {files.map(({ id, name, sizeBytes, addedAt, isChecked }) => (
          <li key={id} className="row row--nowrap">
            <span className="grow wrap-anywhere">
              <strong>{name}</strong>
              <span className="muted small">
                {' '}
                {formatBytes(sizeBytes)}, added {formatMoment(addedAt)}
              </span>{' '}
              {isChecked && (
                <Badge look="completed" icon={<Check className="icon" aria-hidden />}>
                  Checked: it opens and is what its name says
                </Badge>
              )}
            </span>
            <IconButton
              label={`Options of ${name}`}
              icon={<Ellipsis className="icon" aria-hidden />}
              onClick={() => setOpenId(id)}
            />
          </li>
        ))}
      </ul>
      {files.length < MOST_FILES && (
        <div className="stack gap-2">
          {files.length > 0 && <h3 className="text-14">Add another file</h3>}
          <AddProductUploads
            kinds={['file']}
            uploads={{ image: null, file: null }}
            onChange={({ file }) => file && void upload(file, files.length > 0 ? { isAnother: true } : {})}
          />
        </div>
      )}
      <Problem>{problem}</Problem>
      {openId && files.some(({ id }) => id === openId) && (
        <OwnFileDialog product={product} fileId={openId} onClose={() => setOpenId(null)} />
      )}
    </>
  )
}
