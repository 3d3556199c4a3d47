import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { OpeningInput } from './LessonOpening.tsx'
import { dropLessonDraft, keepLessonDraft, readLessonDraft } from './lessonDraft.client.ts'
import { type EditedLesson, getPart, MAX_DRIP_DAYS, MAX_LESSON_LENGTH, savePart } from './outline.contract.ts'

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

type PartFormProps = { productId: string; part: EditedLesson } & Pick<LessonDialogProps, 'onClose' | 'onSaved'>

function PartForm(props: PartFormProps) {
  const { productId, part, onClose, onSaved } = props
  const form = usePartForm(props)
  const { title, text, given, problems, isPreview, isBusy, type, setGiven, setPreview, save } = form
  return (
    <DialogForm label="Save" noValidate isBusy={isBusy} onSubmit={() => void save()} onCancel={onClose}>
      <Restored form={form} part={part} />
      <Field label="Title" {...(problems.title && { error: problems.title })}>
        {(control) => (
          <input
            className="input"
            autoComplete="off"
            maxLength={200}
            value={title}
            onChange={({ target }) => type({ title: target.value })}
            {...control}
          />
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
              <textarea
                className="input"
                rows={8}
                maxLength={MAX_LESSON_LENGTH}
                value={text}
                onChange={({ target }) => type({ text: target.value })}
                {...control}
              />
            )}
          </Field>
          <LessonFiles productId={productId} part={part} onChange={onSaved} />
          <LessonOpening given={given} problems={problems} onChange={setGiven} />
          <Switch
            label="Free preview"
            hint="Everybody can read its text on the page of the course."
            isOn={isPreview}
            onChange={setPreview}
          />
        </>
      )}
    </DialogForm>
  )
}

type RestoredProps = { form: ReturnType<typeof usePartForm>; part: EditedLesson }

/** Shows a conflict, or a restored draft. */
function Restored({ form: { kept, isRestored, isConflict, discard }, part }: RestoredProps) {
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
  if (!isRestored || !kept) return null
  return (
    <p className="row small" role="status">
      {kept.version === part.version
        ? 'You did not save this text.'
        : 'Somebody changed the lesson after you typed this.'}
      <Button tone="quiet" onClick={discard}>
        Show what is saved
      </Button>
    </p>
  )
}

function usePartForm({ productId, part, onClose, onSaved }: PartFormProps) {
  const cache = useQueryClient()
  const [kept] = useState(() => readLessonDraft(part.id))
  const [title, setTitle] = useState(kept?.title ?? part.title)
  const [text, setText] = useState(kept?.text ?? part.text)
  const [given, setGiven] = useState<OpeningInput>({
    opening: part.opensOn ? 'day' : part.opensAfterDays ? 'days' : 'now',
    day: part.opensOn ?? '',
    days: String(part.opensAfterDays ?? 7),
  })
  const [isPreview, setPreview] = useState(part.isPreview)
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const [isRestored, setRestored] = useState(kept !== null)
  const [isConflict, setConflict] = useState(false)

  const type = (change: { title?: string; text?: string }) => {
    const next = { title, text, ...change }
    setTitle(next.title)
    setText(next.text)
    keepLessonDraft(part, { ...next, version: part.version })
  }
  const discard = () => {
    dropLessonDraft(part.id)
    setTitle(part.title)
    setText(part.text)
    setRestored(false)
    setConflict(false)
  }
  const problems = problemsOf(title, given)
  const shown: Problems = isTried ? problems : {}

  async function save() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    setBusy(true)
    try {
      await call(savePart, {
        ...{ id: productId, partId: part.id, title, text, isPreview, version: part.version },
        opensOn: given.opening === 'day' ? given.day : null,
        opensAfterDays: given.opening === 'days' ? Number(given.days) : null,
      })
      dropLessonDraft(part.id)
      toast({ title: 'Saved', tone: 'good' })
      onSaved()
      onClose()
    } catch (error) {
      if (error instanceof Failure && error.code === 'changed') {
        await cache.refetchQueries({ queryKey: keyOf(getPart, { id: productId, partId: part.id }) })
        setConflict(true)
      }
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save it. Please try again.')
    } finally {
      setBusy(false)
    }
  }

  return {
    ...{ kept, title, text, given, isPreview, isBusy, isRestored, isConflict },
    problems: shown,
    ...{ type, setGiven, setPreview, discard, save },
  }
}

type Problems = { title?: string; day?: string; days?: string }

function problemsOf(title: string, { opening, day, days }: OpeningInput): Problems {
  const count = Number(days)
  return {
    ...(title.trim() === '' && { title: 'Give it a title.' }),
    ...(opening === 'day' && day === '' && { day: 'Choose a day.' }),
    ...(opening === 'days' &&
      !(Number.isInteger(count) && count >= 1 && count <= MAX_DRIP_DAYS) && {
        days: `From 1 to ${MAX_DRIP_DAYS.toLocaleString('en')} days.`,
      }),
  }
}
