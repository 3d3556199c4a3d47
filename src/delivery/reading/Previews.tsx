import '../../catalogue/previews/previews.css'
import './reader.css'
import { useQuery } from '@tanstack/react-query'
import { FileText, Headphones, Video } from 'lucide-react'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { Markdown } from '../../catalogue/Markdown.tsx'
import { Gallery } from '../../catalogue/previews/Gallery.tsx'
import { getPreviews, type Preview } from '../../catalogue/previews/previews.contract.ts'
import { actionOf, extentOf } from '../../catalogue/previews/sample.rules.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { listPreviews } from '../courses/learning.contract.ts'

// What a shopper can see of the goods before buying. One script, because the first load lists every script.

const waiting = <Skeleton height="24rem" />
const SamplePages = lazyPart(() => import('./pdf/SamplePages.tsx'), 'SamplePages', waiting)
const SampleBook = lazyPart(
  () => import('./epub/EpubReader.tsx').then(({ SampleBook }) => ({ SampleBook })),
  'SampleBook',
  waiting,
)

export function Previews({ detail: { id: productId, delivery } }: { detail: ProductDetail }) {
  // a failed preview is omitted, because it does not affect the purchase
  const { data: previews = [] } = useQuery(query(getPreviews, { id: productId }))
  const images = previews.filter(({ kind }) => kind === 'image')
  return (
    <>
      {images.length > 0 && (
        <section className="section gap-4" aria-labelledby="look-inside">
          <h2 id="look-inside">Look inside</h2>
          <Gallery images={images} />
        </section>
      )}
      {delivery === 'course' && <Lessons productId={productId} />}
    </>
  )
}

const ICONS = { text: FileText, audio: Headphones, video: Video }

function Lessons({ productId }: { productId: string }) {
  const { data: parts = [] } = useQuery(query(listPreviews, { id: productId }))
  if (parts.length === 0) return null
  return (
    <section className="section gap-4" aria-labelledby="lessons">
      <h2 id="lessons">{plural(parts.filter(({ isSection }) => !isSection).length, 'lesson')}</h2>
      <ol className="previews__lessons">
        {parts.map(({ id, isSection, title, look, opensOn, opensAfterDays, text }) => {
          const Icon = ICONS[look]
          return (
            <li key={id}>
              {isSection ? (
                <h3 className="text-14">{title}</h3>
              ) : text === null ? (
                <p className="row row--nowrap">
                  <Icon className="icon icon--sm" aria-hidden />
                  <span>
                    <bdi>{title}</bdi>
                    {opensOn && <small className="muted">, opens on {formatDay(`${opensOn}T12:00:00Z`)}</small>}
                    {opensAfterDays && (
                      <small className="muted">, opens {plural(opensAfterDays, 'day')} after the purchase</small>
                    )}
                  </span>
                </p>
              ) : (
                <details>
                  <summary>
                    <bdi>{title}</bdi>, free preview
                  </summary>
                  <Markdown text={text} />
                </details>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

type SampleDialogProps = { sample: Preview; title: string; onClose: () => void }

export function SampleDialog({ sample, title, onClose }: SampleDialogProps) {
  const { kind, url, alt } = sample
  return (
    <Dialog isOpen onClose={onClose} title={title} description={`${actionOf(sample)}. ${extentOf(sample)}`}>
      <DialogBody>
        {kind === 'pdf' && <SamplePages url={url} title={alt} />}
        {kind === 'epub' && <SampleBook url={url} onDownload={() => startDownload(url)} />}
        {kind === 'video' && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <video className="sample" src={url} controls preload="metadata" playsInline aria-label={`Sample: ${alt}`} />
        )}
      </DialogBody>
    </Dialog>
  )
}

/** The first lesson of a course that its seller shows to everybody. */
export function FreeLesson({ productId, onClose }: { productId: string; onClose: () => void }) {
  const { data, isError, refetch } = useQuery(query(listPreviews, { id: productId }))
  const lesson = data?.find(({ text }) => text !== null)
  return (
    <Dialog isOpen onClose={onClose} title={lesson?.title ?? 'Free lesson'}>
      <DialogBody>
        {lesson ? (
          <Markdown text={lesson.text ?? ''} />
        ) : isError ? (
          <ErrorState title="Couldn’t load the lesson" onRetry={() => void refetch()} />
        ) : data ? (
          <p>Visitors can read it once the course is on sale.</p>
        ) : (
          <Skeleton height="12rem" />
        )}
      </DialogBody>
    </Dialog>
  )
}
