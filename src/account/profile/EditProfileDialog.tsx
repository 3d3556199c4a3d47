import { useMutation, useQueryClient } from '@tanstack/react-query'
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
import { toast } from '../../ui/toasts/toast.client.ts'
import { UploaderDialog } from '../../uploads/UploaderDialog.tsx'
import { saveProfile } from './profile.contract.ts'
import { problemOf } from '../useAccount.ts'
import type { DialogProps } from '../../ui/useDialog.ts'

type EditProfileProps = DialogProps & { user: CurrentUser }

export const EditProfileDialog = (dialog: EditProfileProps) => (
  <Dialog {...dialog} title="Edit Profile">
    <ProfileForm {...dialog} />
  </Dialog>
)

function ProfileForm({ user, onClose }: EditProfileProps) {
  const [names, setNames] = useState({ firstName: user.firstName ?? '', lastName: user.lastName ?? '' })
  const [picture, setPicture] = useState({ shown: user.profileImageUrl, url: user.profileImageUrl })
  const [isUploading, setUploading] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const cache = useQueryClient()
  const save = useMutation({
    mutationFn: () => call(saveProfile, { ...names, pictureURL: picture.url }),
    onSuccess: (saved) => cache.setQueryData(keyOf(getCurrentUser, {}), saved),
  })
  const problem = problemOf(save.error, 'We couldn’t save your profile. Please try again.')
  const errorOf = (name: keyof typeof names) => {
    const error = isChecked ? nameProblem(names[name].trim()) : null
    return error ? { error } : {}
  }

  const submit = () => {
    setChecked(true)
    if (Object.values(names).some((name) => nameProblem(name.trim()))) return
    // a closed dialog drops this callback, so that it cannot close the next one
    save.mutate(undefined, {
      onSuccess: () => {
        onClose()
        toast({ title: 'Profile saved', tone: 'good' })
      },
    })
  }
  const control = (name: keyof typeof names, autoComplete: string) => ({
    className: 'input',
    autoComplete,
    maxLength: MAX_NAME_LENGTH,
    value: names[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setNames({ ...names, [name]: target.value }),
  })

  return (
    <DialogForm noValidate label="Save" isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
      <Problem>{problem?.message}</Problem>
      <div className="row">
        {/* a new key retries a picture that failed to load */}
        <Avatar key={picture.shown} user={{ ...user, ...names, profileImageUrl: picture.shown }} />
        <div className="row grow gap-2">
          <Button onClick={() => setUploading(true)}>{picture.shown ? 'Change picture' : 'Add a picture'}</Button>
          {picture.shown && (
            <Button tone="ghost" onClick={() => setPicture({ shown: null, url: null })}>
              Remove
            </Button>
          )}
        </div>
      </div>
      <div className="formgrid">
        <Field label="First name" note="optional" {...errorOf('firstName')}>
          {(field) => <input {...field} {...control('firstName', 'given-name')} />}
        </Field>
        <Field label="Last name" note="optional" {...errorOf('lastName')}>
          {(field) => <input {...field} {...control('lastName', 'family-name')} />}
        </Field>
      </div>
      <p className="muted small">If you sell, your seller page shows your first name, an initial and the picture.</p>
      <UploaderDialog
        use="image"
        title="Profile picture"
        isOpen={isUploading}
        onClose={() => setUploading(false)}
        onUploaded={({ url, previewUrl }) => setPicture({ shown: previewUrl, url })}
      />
    </DialogForm>
  )
}
