import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useSavedForm } from '../../ui/form/useSavedForm.ts'
import { Switch } from '../../ui/form/Switch.tsx'
import { CategoryIcon } from './CategoryIcon.tsx'
import type { EditedCategory } from './editor.contract.ts'

export type CategoryWords = Omit<EditedCategory, 'id' | 'hasProducts'>

type CategoryDialogProps = {
  isOpen: boolean
  onClose: () => void
  category: EditedCategory | null
  icons: Record<string, string>
  onSave: (words: CategoryWords) => Promise<unknown>
}

export function CategoryDialog({ isOpen, onClose, category, ...form }: CategoryDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={category ? `Edit ${category.name}` : 'Add a category'}>
      <CategoryForm key={category?.id} category={category} onClose={onClose} {...form} />
    </Dialog>
  )
}

const fresh: CategoryWords = { name: '', icon: 'tag', isCash: false, earnsBonus: true, sellsPrograms: false }

function valuesOf(category: EditedCategory | null): CategoryWords {
  const { name, icon, isCash, earnsBonus, sellsPrograms } = category ?? fresh
  return { name, icon, isCash, earnsBonus, sellsPrograms }
}

function CategoryForm({ onClose, category, icons, onSave }: Omit<CategoryDialogProps, 'isOpen'>) {
  const form = useSavedForm({
    saved: category,
    valuesOf,
    problemsOf: ({ name }) => (name.trim() ? {} : { name: 'Name is required' }),
    save: onSave,
    onSaved: onClose,
    failure: 'We couldn’t save it. Please try again.',
    refusedAt: 'name',
  })
  const { values, put } = form
  return (
    <DialogForm
      noValidate
      label={category ? 'Save' : 'Add'}
      isBusy={form.isBusy}
      onSubmit={form.submit}
      onCancel={onClose}
    >
      <Field label="Name" error={form.errorOf('name')}>
        {(control) => <input {...control} {...form.field('name')} className="input" required maxLength={60} />}
      </Field>
      <fieldset className="icons">
        <legend>Icon</legend>
        {Object.entries(icons).map(([name, path]) => (
          <label key={name}>
            <input
              type="radio"
              name="icon"
              className="sr"
              aria-label={name}
              checked={values.icon === name}
              onChange={() => put({ icon: name })}
            />
            <CategoryIcon path={path} />
          </label>
        ))}
      </fieldset>
      <Switch
        label="Earns the first-purchase bonus"
        isOn={values.earnsBonus}
        onChange={(earnsBonus) => put({ earnsBonus })}
      />
      <Switch
        label="As good as money"
        hint="Fraud rules are stricter, and a fresh bonus buys none of it."
        isOn={values.isCash}
        onChange={(isCash) => put({ isCash })}
      />
      <Switch
        label="Sells programs"
        hint="Other categories refuse files that are or hold a program."
        isOn={values.sellsPrograms}
        onChange={(sellsPrograms) => put({ sellsPrograms })}
      />
    </DialogForm>
  )
}
