import { Files, X } from 'lucide-react'
import { useId, useState } from 'react'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import type { Uploaded } from '../../uploads/uploader.rules.ts'
import { MAX_FILES } from '../catalogue.contract.ts'

const UploaderDialog = lazyDialog(() => import('../../uploads/UploaderDialog.tsx'), 'UploaderDialog')

type ManyFilesProps = {
  files: Uploaded[]
  /** Files of the product besides these. */
  others: number
  isEachADraft: boolean
  onAdd: (file: Uploaded) => void
  onRemove: (url: string) => void
  onChoose: (isEachADraft: boolean) => void
}

/** Uploads several files at once. The seller chooses whether they are one product or a draft each. */
export function ManyFiles({ files, others, isEachADraft, onAdd, onRemove, onChoose }: ManyFilesProps) {
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never')
  const name = useId()
  const count = files.length + others
  const left = MAX_FILES - count
  const endings = [
    { isEach: false, title: 'One product', about: count > 1 ? `Buyers get all ${count}` : 'Buyers get this file' },
    { isEach: true, title: plural(count, 'draft'), about: 'Each is named after its file' },
  ]
  return (
    <div className="stack gap-2">
      {left > 0 && (
        <Button
          tone="quiet"
          className="self-start flush-start"
          icon={<Files className="icon" aria-hidden />}
          onClick={() => setDialog('open')}
        >
          Add many at once
        </Button>
      )}
      {files.length > 0 && (
        <>
          <ul className="list" aria-label="Many at once">
            {files.map(({ url, name: fileName, sizeBytes }) => (
              <li key={url} className="list__row">
                <span className="grow wrap-anywhere">
                  {fileName}
                  <small>{formatBytes(sizeBytes)}</small>
                </span>
                <IconButton
                  label={`Take out ${fileName}`}
                  icon={<X className="icon" aria-hidden />}
                  onClick={() => onRemove(url)}
                />
              </li>
            ))}
          </ul>
          {(count > 1 || isEachADraft) && (
            <fieldset className="kinds">
              <legend>How do you sell these files?</legend>
              {endings.map(({ isEach, title, about }) => (
                <label key={title} className="kinds__one">
                  <input
                    type="radio"
                    name={name}
                    className="sr"
                    checked={isEach === isEachADraft}
                    onChange={() => onChoose(isEach)}
                  />
                  <strong>{title}</strong>
                  <small>{about}</small>
                </label>
              ))}
            </fieldset>
          )}
        </>
      )}
      {dialog !== 'never' && (
        <UploaderDialog
          use="files"
          most={left}
          title="Many at once"
          isOpen={dialog === 'open'}
          onClose={() => setDialog('closed')}
          onUploaded={onAdd}
        />
      )}
    </div>
  )
}
