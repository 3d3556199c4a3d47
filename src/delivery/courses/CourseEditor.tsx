import { Eye } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { describeLessons } from './outline/length.rules.ts'
import { OutlineList } from './outline/OutlineList.tsx'
import { MAX_PARTS } from './outline.contract.ts'
import { ownCoursePath } from './own/ownCourse.rules.ts'
import { lessonsOf } from './progress.rules.ts'
import { useOutline } from './useOutline.ts'

const LessonDialog = lazyDialog(() => import('./LessonDialog.tsx'), 'LessonDialog')

type CourseEditorProps = { productId: string; onChange: () => void }

export function CourseEditor({ productId, onChange }: CourseEditorProps) {
  const { parts, isError, refetch, isBusy, add, reorder, remove } = useOutline(productId, onChange)
  const [editedId, setEditedId] = useState<string | null>(null)
  if (isError) return <ErrorState title="Couldn’t load the lessons" onRetry={() => void refetch()} />
  if (!parts) return <Skeleton height="16rem" />
  const edited = parts.find(({ id }) => id === editedId)
  const lessons = lessonsOf(parts)
  return (
    <section className="card stack gap-4" aria-label="Lessons">
      <div className="row row--between row--top">
        <div className="grow grow--column">
          <h2 className="text-18">Lessons</h2>
          <p className="muted small">
            Buyers see each change at once. The lessons below a section belong to it. Your course is on sale while it
            has a lesson.
          </p>
          {lessons.length > 0 && <p className="small num">{describeLessons(lessons)}</p>}
        </div>
        {lessons.length > 0 && (
          <LinkButton href={ownCoursePath(productId)} icon={<Eye className="icon" aria-hidden />}>
            See as a learner
          </LinkButton>
        )}
      </div>
      {parts.length === 0 && <p>No lesson yet.</p>}
      <OutlineList
        parts={parts}
        isBusy={isBusy}
        onReorder={(next) => void reorder(next)}
        onEdit={({ id }) => setEditedId(id)}
        onRemove={(part) => void remove(part)}
      />
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
