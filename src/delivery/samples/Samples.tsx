import { BookOpen, FileText, type LucideIcon, Video } from 'lucide-react'
import { useState } from 'react'
import type { ProductDetail } from '../../catalogue/catalogue.contract.ts'
import type { Preview } from '../../catalogue/previews/previews.contract.ts'
import { actionOf, extentOf } from '../../catalogue/previews/sample.rules.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { SoundSample } from './SoundSample.tsx'

const SampleDialog = lazyDialog(
  () => import('../reading/SampleDialog.tsx').then(({ SampleDialog }) => ({ SampleDialog })),
  'SampleDialog',
)
const FreeLesson = lazyDialog(
  () => import('../reading/SampleDialog.tsx').then(({ FreeLesson }) => ({ FreeLesson })),
  'FreeLesson',
)

const ICONS: Partial<Record<Preview['kind'], LucideIcon>> = { pdf: FileText, epub: BookOpen, video: Video }

/** What a shopper can open before buying. One row for each sample. */
export function Samples({ detail: { id, title, samples = [], lessons } }: { detail: ProductDetail }) {
  const [opened, setOpened] = useState<Preview | null>(null)
  const [isLessonOpen, setLessonOpen] = useState(false)
  const free = lessons?.free
  if (samples.length === 0 && !free) return null
  return (
    <>
      <h2 id="samples" className="sr">
        Samples
      </h2>
      <ul className="list" aria-labelledby="samples">
        {samples.map((sample) => (
          <li key={sample.id}>
            {sample.kind === 'audio' ? (
              <SoundSample sample={sample} />
            ) : (
              <Row
                Icon={ICONS[sample.kind] ?? FileText}
                action={actionOf(sample)}
                about={extentOf(sample)}
                verb={sample.kind === 'video' ? 'Watch' : 'Read'}
                onNear={SampleDialog.preload}
                onOpen={() => setOpened(sample)}
              />
            )}
          </li>
        ))}
        {free && (
          <li>
            <Row
              Icon={BookOpen}
              action="Read a free lesson"
              about={free}
              verb="Read"
              onNear={FreeLesson.preload}
              onOpen={() => setLessonOpen(true)}
            />
          </li>
        )}
      </ul>
      {opened && (
        <SampleDialog
          sample={opened}
          title={title}
          description={`${actionOf(opened)}. ${extentOf(opened)}`}
          onClose={() => setOpened(null)}
        />
      )}
      {isLessonOpen && <FreeLesson productId={id} onClose={() => setLessonOpen(false)} />}
    </>
  )
}

type RowProps = {
  Icon: LucideIcon
  action: string
  about: string
  verb: string
  onNear: () => void
  onOpen: () => void
}

const Row = ({ Icon, action, about, verb, onNear, onOpen }: RowProps) => (
  <button
    type="button"
    className="list__row"
    aria-haspopup="dialog"
    onPointerEnter={onNear}
    onFocus={onNear}
    onClick={onOpen}
  >
    <Icon className="icon" aria-hidden />
    <span className="grow">
      <strong>{action}</strong>
      <small>{about}</small>
    </span>
    <span className="btn btn--soft" aria-hidden>
      {verb}
    </span>
  </button>
)
