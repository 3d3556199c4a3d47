import './courseEditor.css'
import { ArrowDown, ArrowUp, Clock, Eye, FileText, Headphones, Pencil, Trash2, Video } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { MAX_PARTS, type OutlinePart } from './outline.contract.ts'
import { useOutline } from './useOutline.ts'

const LessonDialog = lazyDialog(() => import('./LessonDialog.tsx'), 'LessonDialog')

type CourseEditorProps = { productId: string; onChange: () => void }

export function CourseEditor({ productId, onChange }: CourseEditorProps) {
  const { parts, isError, refetch, isBusy, add, move, remove } = useOutline(productId, onChange)
  const [editedId, setEditedId] = useState<string | null>(null)
  if (isError) return <ErrorState title="Couldn’t load the lessons" onRetry={() => void refetch()} />
  if (!parts) return <Skeleton height="16rem" />
  const edited = parts.find(({ id }) => id === editedId)
  return (
    <section className="card stack gap-4" aria-label="Lessons">
      <div>
        <h2 className="text-18">Lessons</h2>
        <p className="muted small">
          Buyers see each change at once. The lessons below a section belong to it. Your course is on sale while it has
          a lesson.
        </p>
      </div>
      {parts.length === 0 && <p>No lesson yet.</p>}
      <ol className="outline">
        {parts.map((part, i) => (
          <li key={part.id} className={`row row--nowrap ${part.isSection ? 'outline__section' : ''}`}>
            <span className="grow wrap-anywhere">
              <strong>{part.title}</strong>
              {!part.isSection && <LessonFacts part={part} />}
            </span>
            <span className="row row--nowrap outline__do">
              <IconButton
                label={`Move ${part.title} up`}
                icon={<ArrowUp className="icon" aria-hidden />}
                aria-disabled={i === 0 || isBusy || undefined}
                onClick={() => i > 0 && !isBusy && void move(part, -1)}
              />
              <IconButton
                label={`Move ${part.title} down`}
                icon={<ArrowDown className="icon" aria-hidden />}
                aria-disabled={i === parts.length - 1 || isBusy || undefined}
                onClick={() => i < parts.length - 1 && !isBusy && void move(part, 1)}
              />
              <IconButton
                label={`Edit ${part.title}`}
                icon={<Pencil className="icon" aria-hidden />}
                onClick={() => setEditedId(part.id)}
              />
              <IconButton
                label={`Delete ${part.title}`}
                icon={<Trash2 className="icon" aria-hidden />}
                aria-disabled={isBusy || undefined}
                onClick={() => !isBusy && void remove(part)}
              />
            </span>
          </li>
        ))}
      </ol>
      {parts.length < MAX_PARTS && <AddPart isBusy={isBusy} onAdd={add} />}
      {edited && (
        <LessonDialog
          productId={productId}
          partId={edited.id}
          isSection={edited.isSection}
          onClose={() => setEditedId(null)}
          onSaved={() => void refetch()}
        />
      )}
    </section>
  )
}

function LessonFacts({ part: { types, opensOn, opensAfterDays, isPreview } }: { part: OutlinePart }) {
  const Icon = types.some((type) => type.startsWith('video/'))
    ? Video
    : types.some((type) => type.startsWith('audio/'))
      ? Headphones
      : FileText
  const drip = opensOn
    ? `Opens on ${opensOn}`
    : opensAfterDays
      ? `Opens ${opensAfterDays === 1 ? 'a day' : `${opensAfterDays} days`} after the purchase`
      : null
  return (
    <span className="outline__facts muted small">
      <Icon className="icon icon--sm" aria-hidden />
      {types.length === 0 ? 'Text' : types.length === 1 ? 'One file' : `${types.length} files`}
      {drip && (
        <span>
          <Clock className="icon icon--sm" aria-hidden /> {drip}
        </span>
      )}
      {isPreview && (
        <span>
          <Eye className="icon icon--sm" aria-hidden /> Free preview
        </span>
      )}
    </span>
  )
}

function AddPart({
  isBusy,
  onAdd,
}: {
  isBusy: boolean
  onAdd: (isSection: boolean, title: string) => Promise<boolean>
}) {
  const [title, setTitle] = useState('')
  const [isTried, setTried] = useState(false)
  async function add(isSection: boolean) {
    setTried(true)
    if (title.trim() === '' || isBusy) return
    if (await onAdd(isSection, title)) {
      setTitle('')
      setTried(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add(false)
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field
        label="Title of a new lesson or section"
        {...(isTried && title.trim() === '' && { error: 'Give it a title.' })}
      >
        {(control) => (
          <input
            className="input"
            autoComplete="off"
            maxLength={200}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
            {...control}
          />
        )}
      </Field>
      <div className="row gap-2">
        <Button tone="soft" type="submit" isBusy={isBusy}>
          Add a lesson
        </Button>
        <Button tone="ghost" onClick={() => void add(true)}>
          Add a section
        </Button>
      </div>
    </form>
  )
}
