import './samples.css'
import type { Preview } from '../../catalogue/previews/previews.contract.ts'
import { actionOf, extentOf } from '../../catalogue/previews/sample.rules.ts'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const waiting = <Skeleton height="24rem" />
const SamplePages = lazyPart(() => import('../reading/pdf/SamplePages.tsx'), 'SamplePages', waiting)
const SampleBook = lazyPart(() => import('./SampleBook.tsx'), 'SampleBook', waiting)

type SampleDialogProps = { sample: Preview; title: string; onClose: () => void }

export function SampleDialog({ sample, title, onClose }: SampleDialogProps) {
  const { kind, url, alt } = sample
  return (
    <Dialog isOpen onClose={onClose} title={title} description={`${actionOf(sample)}. ${extentOf(sample)}`}>
      <DialogBody>
        {kind === 'pdf' && <SamplePages url={url} title={alt} />}
        {kind === 'epub' && <SampleBook url={url} />}
        {kind === 'video' && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <video className="sample" src={url} controls preload="metadata" playsInline aria-label={`Sample: ${alt}`} />
        )}
      </DialogBody>
    </Dialog>
  )
}
