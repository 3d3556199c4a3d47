import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'

const UploaderDialog = lazyDialog(() => import('../../uploads/UploaderDialog.tsx'), 'UploaderDialog')

type HeaderFieldProps = {
  hasPicture: boolean
  /** `previewUrl` shows the upload in this browser until it is saved. */
  onChange: (url: string | null, previewUrl: string | null) => void
}

export function HeaderField({ hasPicture, onChange }: HeaderFieldProps) {
  const [wasOpened, setOpened] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const open = () => {
    setOpened(true)
    setUploading(true)
  }
  return (
    <div className="stack gap-2">
      <div className="row gap-2">
        <Button onClick={open}>{hasPicture ? 'Change picture' : 'Add a picture'}</Button>
        {hasPicture && (
          <Button tone="ghost" aria-label="Remove the picture" onClick={() => onChange(null, null)}>
            Remove
          </Button>
        )}
      </div>
      <p className="field__hint">
        A wide picture without text, such as 1500 x 500 pixels, up to 5 MB. Narrow screens cut off its sides.
      </p>
      {wasOpened && (
        <UploaderDialog
          use="image"
          title="Header picture"
          isOpen={isUploading}
          onClose={() => setUploading(false)}
          onUploaded={({ url, previewUrl }) => onChange(url, previewUrl)}
        />
      )}
    </div>
  )
}
