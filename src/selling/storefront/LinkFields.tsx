import { Plus, Trash2 } from 'lucide-react'
import { MAX_LABEL_LENGTH, MAX_LINKS, MAX_URL_LENGTH } from '../../catalogue/sellers/design.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { PageForm } from './usePageForm.ts'

const NONE = { label: '', url: '' }

export function LinkFields({ form }: { form: PageForm }) {
  const { links } = form.values
  return (
    <div className="stack gap-4">
      {links.map((link, i) => (
        <div key={i} className="link-row">
          <Field label={`Name of link ${i + 1}`} error={form.errorOf(`links.${i}.label`)}>
            {(control) => (
              <input
                className="input"
                autoComplete="off"
                maxLength={MAX_LABEL_LENGTH}
                {...control}
                {...form.field(`links.${i}.label`)}
              />
            )}
          </Field>
          <Field label={`Address of link ${i + 1}`} error={form.errorOf(`links.${i}.url`)}>
            {(control) => (
              <input
                className="input"
                type="url"
                inputMode="url"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                placeholder="https://"
                maxLength={MAX_URL_LENGTH}
                {...control}
                {...form.field(`links.${i}.url`)}
              />
            )}
          </Field>
          <span className="link-row__remove">
            <IconButton
              label={link.label ? `Remove ${link.label}` : `Remove link ${i + 1}`}
              icon={<Trash2 className="icon" aria-hidden />}
              onClick={() => form.put({ links: links.toSpliced(i, 1) })}
            />
          </span>
        </div>
      ))}
      <div className="row">
        <Button
          icon={<Plus className="icon" aria-hidden />}
          disabled={links.length >= MAX_LINKS}
          onClick={() => form.put({ links: [...links, NONE] })}
        >
          Add a link
        </Button>
        <span className="muted small num">
          {links.length} of {MAX_LINKS}
        </span>
      </div>
    </div>
  )
}
