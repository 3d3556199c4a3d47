import { useState } from 'react'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { CategoryIcon } from './CategoryIcon.tsx'
import type { EditedCategory } from './editor.contract.ts'

export type CategoryWords = Omit<EditedCategory, 'id' | 'hasProducts'>

type CategoryDialogProps = {
  isOpen: boolean
  onClose: () => void
  category: EditedCategory | null
  icons: Record<string, string>
  isBusy: boolean
  problem: string | undefined
  onSave: (words: CategoryWords) => void
}

const fresh: CategoryWords = { name: '', icon: 'tag', isCash: false, earnsBonus: true, sellsPrograms: false }

export function CategoryDialog({ isOpen, onClose, category, ...form }: CategoryDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={category ? `Edit ${category.name}` : 'Add a category'}>
      <CategoryForm key={category?.id} category={category} onClose={onClose} {...form} />
    </Dialog>
  )
}

function CategoryForm({ onClose, category, icons, isBusy, problem, onSave }: Omit<CategoryDialogProps, 'isOpen'>) {
  const { name, icon, isCash, earnsBonus, sellsPrograms } = category ?? fresh
  const [words, setWords] = useState({ name, icon, isCash, earnsBonus, sellsPrograms })
  const [isTried, setTried] = useState(false)
  const change = (part: Partial<CategoryWords>) => setWords({ ...words, ...part })
  const error = isTried && !words.name.trim() ? 'Name is required' : problem
  return (
    <DialogForm
      noValidate
      label={category ? 'Save' : 'Add'}
      isBusy={isBusy}
      onSubmit={() => {
        setTried(true)
        if (words.name.trim()) onSave(words)
        else document.querySelector<HTMLElement>('.dialog__form input')?.focus()
      }}
      onCancel={onClose}
    >
      <Field label="Name" {...(error && { error })}>
        {(field) => (
          <input
            {...field}
            className="input"
            required
            maxLength={60}
            value={words.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
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
              checked={words.icon === name}
              onChange={() => change({ icon: name })}
            />
            <CategoryIcon path={path} />
          </label>
        ))}
      </fieldset>
      <Switch
        label="Earns the first-purchase bonus"
        isOn={words.earnsBonus}
        onChange={(earnsBonus) => change({ earnsBonus })}
      />
      <Switch
        label="As good as money"
        hint="Fraud rules are stricter, and a fresh bonus buys none of it."
        isOn={words.isCash}
        onChange={(isCash) => change({ isCash })}
      />
      <Switch
        label="Sells programs"
        hint="Other categories refuse files that are or hold a program."
        isOn={words.sellsPrograms}
        onChange={(sellsPrograms) => change({ sellsPrograms })}
      />
    </DialogForm>
  )
}
