import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { type EditedLesson, getPart, MAX_LESSON_LENGTH } from './outline.contract.ts'
import { type PartFormInput, usePartForm } from './usePartForm.ts'

const LessonOpening = lazyPart(() => import('./LessonOpening.tsx'), 'LessonOpening', <Skeleton height="4rem" />)
const LessonFiles = lazyPart(() => import('./LessonFiles.tsx'), 'LessonFiles', <Skeleton height="4rem" />)

type LessonDialogProps = {
  productId: string
  partId: string
  isSection: boolean
  onClose: () => void
  onSaved: () => void
}

export function LessonDialog({ productId, partId, isSection, onClose, onSaved }: LessonDialogProps) {
  const asked = { id: productId, partId }
  const { data: part, isError, refetch } = useQuery({ ...query(getPart, asked), refetchOnMount: 'always', gcTime: 0 })
  return (
    <Dialog isOpen onClose={onClose} title={isSection ? 'Section' : 'Lesson'}>
      {part ? (
        <PartForm key={part.id} productId={productId} part={part} onClose={onClose} onSaved={onSaved} />
      ) : (
        <DialogBody>
          {isError ? (
            <ErrorState title="Couldn’t load the lesson" onRetry={() => void refetch()} />
          ) : (
            <Skeleton height="16rem" />
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

function PartForm(props: PartFormInput) {
  const { productId, part, onClose, onSaved } = props
  const form = usePartForm(props)
  const { text, isPreview } = form.values
  return (
    <DialogForm label="Save" noValidate isBusy={form.isBusy} onSubmit={form.submit} onCancel={onClose}>
      <Restored form={form} part={part} />
      <Field label="Title" error={form.errorOf('title')}>
        {(control) => (
          <input className="input" autoComplete="off" maxLength={200} {...control} {...form.field('title')} />
        )}
      </Field>
      {!part.isSection && (
        <>
          <Field
            label="Text"
            note="optional"
            hint={`Markdown: headings (#), lists (-), **bold**, *italic* and [links](https://…). ${text.length.toLocaleString('en')} of ${MAX_LESSON_LENGTH.toLocaleString('en')}.`}
          >
            {(control) => (
              <textarea className="input" rows={8} maxLength={MAX_LESSON_LENGTH} {...control} {...form.field('text')} />
            )}
          </Field>
          <LessonFiles productId={productId} part={part} onChange={onSaved} />
          <LessonOpening form={form} />
          <Switch
            label="Free preview"
            hint="Everybody can read its text on the page of the course."
            isOn={isPreview}
            onChange={(isOn) => form.put({ isPreview: isOn })}
          />
        </>
      )}
    </DialogForm>
  )
}

type RestoredProps = { form: ReturnType<typeof usePartForm>; part: EditedLesson }

/** Shows a conflict, or a restored draft. */
function Restored({ form: { draft, isRestored, isConflict, discard }, part }: RestoredProps) {
  if (isConflict)
    return (
      <div className="stack gap-2" role="status">
        <p className="small">Somebody else changed this lesson. Save replaces it with your text.</p>
        <details className="panel card small">
          <summary>{part.title}</summary>
          <p className="wrap-anywhere pre-line">{part.text || 'No text.'}</p>
        </details>
        <Button tone="quiet" onClick={discard}>
          Show what is saved
        </Button>
      </div>
    )
  if (!isRestored || !draft) return null
  return (
    <p className="row small" role="status">
      {draft.version === part.version
        ? 'You did not save this text.'
        : 'Somebody changed the lesson after you typed this.'}
      <Button tone="quiet" onClick={discard}>
        Show what is saved
      </Button>
    </p>
  )
}
