import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddProductUploads } from '../../catalogue/add-product/AddProductUploads.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { formatBytes } from '../../localisation/sizes.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import { plays, wrongChapter } from '../reading/media.rules.ts'
import {
  addLessonFile,
  type EditedLesson,
  getPart,
  type LessonFile,
  MAX_CHAPTERS_LENGTH,
  MAX_LESSON_FILES,
  removeLessonFile,
  saveChapters,
} from './outline.contract.ts'
import { useMeasuring } from './outline/useMeasuring.ts'

type LessonFilesProps = { productId: string; part: EditedLesson; onChange: () => void }

export function LessonFiles({ productId, part, onChange }: LessonFilesProps) {
  const cache = useQueryClient()
  const place = { id: productId, partId: part.id }
  useMeasuring(productId, part.files, onChange)
  async function change(run: () => Promise<EditedLesson>, otherwise: string) {
    try {
      const { files } = await run()
      cache.setQueryData<EditedLesson>(keyOf(getPart, place), (before) => before && { ...before, files })
      onChange()
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? otherwise)
    }
  }
  return (
    <div className="stack gap-2">
      <strong className="text-14">Files</strong>
      {part.files.map((file) => (
        <div key={file.id} className="stack gap-2">
          <div className="row row--nowrap">
            <span className="grow wrap-anywhere">
              {file.fileName} <span className="muted small">{formatBytes(file.sizeBytes)}</span>
            </span>
            <IconButton
              label={`Remove ${file.fileName}`}
              icon={<Trash2 className="icon" aria-hidden />}
              onClick={() =>
                void change(
                  () => call(removeLessonFile, { ...place, fileId: file.id }),
                  'We couldn’t remove the file. Please try again.',
                )
              }
            />
          </div>
          {plays(file.contentType) && <Chapters productId={productId} file={file} />}
        </div>
      ))}
      {part.files.length < MAX_LESSON_FILES && (
        <AddProductUploads
          kinds={['file']}
          uploads={{ image: null, file: null }}
          onChange={({ file }) =>
            file &&
            void change(
              () => call(addLessonFile, { ...place, uploadURL: file.url }),
              'We couldn’t add the file. Please try again.',
            )
          }
        />
      )}
    </div>
  )
}

export function Chapters({ productId, file }: { productId: string; file: Pick<LessonFile, 'id' | 'chapters'> }) {
  const [saved, setSaved] = useState(file.chapters)
  const [typed, setTyped] = useState(file.chapters)
  const [isBusy, setBusy] = useState(false)
  const wrong = wrongChapter(typed)
  async function save() {
    if (wrong !== null) return
    setBusy(true)
    try {
      const { chapters } = await call(saveChapters, { id: productId, fileId: file.id, chapters: typed })
      setSaved(chapters)
      setTyped(chapters)
      toast({ title: 'Chapters saved', tone: 'good' })
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t save the chapters. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Field
        label="Chapters"
        note="optional"
        hint="One on each line, as 12:07 Steady."
        {...(wrong !== null && { error: `“${wrong.trim().slice(0, 60)}” has no time. Write it as 12:07 Steady.` })}
      >
        {(control) => (
          <textarea
            className="input"
            rows={3}
            maxLength={MAX_CHAPTERS_LENGTH}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            {...control}
          />
        )}
      </Field>
      {typed.trim() !== saved && (
        <Button className="self-start" isBusy={isBusy} onClick={() => void save()}>
          Save the chapters
        </Button>
      )}
    </>
  )
}
