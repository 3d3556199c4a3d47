import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../catalogue/add-product/AddProductUploads.tsx'
import { MAX_FILES } from '../catalogue/catalogue.contract.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { formatBytes } from '../localisation/sizes.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { Problem } from '../ui/Problem.tsx'
import { getOwnProduct, type OwnDetail, setStamp } from './selling.contract.ts'
import { useOwnFiles } from './useOwnFiles.ts'

const OwnFileDialog = lazyDialog(() => import('./OwnFileDialog.tsx'), 'OwnFileDialog')

/** The files that buyers get. Each change is saved immediately. */
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
        {files.map(({ id, name, sizeBytes, addedAt, isChecked, isProgram }) => (
          <li key={id} className="row row--nowrap">
            <span className="grow wrap-anywhere">
              <strong>{name}</strong>
              <span className="muted small">
                {' '}
                {formatBytes(sizeBytes)}, added {formatMoment(addedAt)}
              </span>{' '}
              {isProgram && <Badge look="plain">A program</Badge>}
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
      {files.length < MAX_FILES && (
        <div className="stack gap-2">
          {files.length > 0 && <h3 className="text-14">Add more files</h3>}
          <AddProductUploads
            kinds={['files']}
            most={MAX_FILES - files.length}
            uploads={{ image: null, file: null }}
            onChange={({ file }) => file && void upload(file, { isAnother: true })}
          />
        </div>
      )}
      <Problem>{problem}</Problem>
      {(product.stampsPdf || files.some(({ isPdf }) => isPdf)) && <StampSwitch product={product} />}
      {openId && files.some(({ id }) => id === openId) && (
        <OwnFileDialog product={product} fileId={openId} onClose={() => setOpenId(null)} />
      )}
    </>
  )
}

function StampSwitch({ product: { id, stampsPdf } }: { product: OwnDetail }) {
  const cache = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) => call(setStamp, { id, isOn }),
    onSuccess: (changed) => cache.setQueryData(keyOf(getOwnProduct, { id }), changed),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change that. Please try again.'),
  })
  return (
    <Switch
      label="Print the buyer’s mail address in PDFs"
      hint="Each buyer gets a copy that says “Copy of” and the address at the foot of each page. Previews stay as they are, and so does a later PDF that is protected or over 50 MB."
      isOn={isPending ? variables : stampsPdf}
      onChange={(isOn) => !isPending && mutate(isOn)}
    />
  )
}
