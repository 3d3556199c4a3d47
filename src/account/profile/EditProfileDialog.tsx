import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar } from '../../identity/accounts/Avatar.tsx'
import { MAX_NAME_LENGTH, nameProblem } from '../../identity/accounts/account.rules.ts'
import { type CurrentUser, getCurrentUser } from '../../identity/identity.contract.ts'
import { call } from '../../kit/call.client.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { toast } from '../../ui/toasts/toast.client.ts'
import { UploaderDialog } from '../../uploads/UploaderDialog.tsx'
import { saveProfile } from './profile.contract.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

type EditProfileProps = DialogProps & { user: CurrentUser }

export const EditProfileDialog = (dialog: EditProfileProps) => (
  <Dialog {...dialog} title="Edit Profile">
    <ProfileForm {...dialog} />
  </Dialog>
)

const valuesOf = ({ firstName, lastName, profileImageUrl }: CurrentUser) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  pictureURL: profileImageUrl,
})

function ProfileForm({ user, onClose }: EditProfileProps) {
  const [preview, setPreview] = useState<string | null>(null)
  const [isUploading, setUploading] = useState(false)
  const cache = useQueryClient()
  const form = useSavedForm({
    saved: user,
    valuesOf,
    problemsOf: ({ firstName, lastName }) => ({
      firstName: nameProblem(firstName.trim()) ?? undefined,
      lastName: nameProblem(lastName.trim()) ?? undefined,
    }),
    save: async (typed) => cache.setQueryData(keyOf(getCurrentUser, {}), await call(saveProfile, typed)),
    onSaved: () => {
      onClose()
      toast({ title: 'Profile saved', tone: 'good' })
    },
    failure: 'We couldn’t save your profile. Please try again.',
  })
  const { pictureURL, ...names } = form.values
  const picture = preview ?? pictureURL
  const put = (url: string | null, previewUrl: string | null) => {
    form.put({ pictureURL: url })
    setPreview(previewUrl)
  }
  const control = (name: keyof typeof names, autoComplete: string) => ({
    className: 'input',
    autoComplete,
    maxLength: MAX_NAME_LENGTH,
    ...form.field(name),
  })

  return (
    <DialogForm noValidate label="Save" isBusy={form.isBusy} onSubmit={form.submit} onCancel={onClose}>
      <Problem>{form.problem}</Problem>
      <div className="row">
        {/* a new key retries a picture that failed to load */}
        <Avatar key={picture} user={{ ...user, ...names, profileImageUrl: picture }} />
        <div className="row grow gap-2">
          <Button onClick={() => setUploading(true)}>{picture ? 'Change picture' : 'Add a picture'}</Button>
          {picture && (
            <Button tone="ghost" onClick={() => put(null, null)}>
              Remove
            </Button>
          )}
        </div>
      </div>
      <div className="formgrid">
        <Field label="First name" note="optional" error={form.errorOf('firstName')}>
          {(field) => <input {...field} {...control('firstName', 'given-name')} />}
        </Field>
        <Field label="Last name" note="optional" error={form.errorOf('lastName')}>
          {(field) => <input {...field} {...control('lastName', 'family-name')} />}
        </Field>
      </div>
      <p className="muted small">If you sell, your seller page shows your first name, an initial and the picture.</p>
      <UploaderDialog
        use="image"
        title="Profile picture"
        isOpen={isUploading}
        onClose={() => setUploading(false)}
        onUploaded={({ url, previewUrl }) => put(url, previewUrl)}
      />
    </DialogForm>
  )
}
