import { Bold, Italic, Link2, List, type LucideIcon } from 'lucide-react'
import { useDeferredValue, useId, useRef } from 'react'
import { Markdown } from '../catalogue/Markdown.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { type Mark, markText } from './edit.rules.ts'

const MAX = 10_000

const MARKS: [Mark, string, LucideIcon][] = [
  ['bold', 'Bold', Bold],
  ['italic', 'Italic', Italic],
  ['list', 'List', List],
  ['link', 'Link', Link2],
]

export function DescriptionEditor({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const shown = useDeferredValue(value)
  const id = useId()
  const mark = (kind: Mark) => {
    const area = field.current!
    const { from, to, text, selection } = markText(kind, area.value, area.selectionStart, area.selectionEnd)
    if (area.value.length + text.length - (to - from) > MAX) return
    area.focus()
    area.setRangeText(text, from, to)
    area.setSelectionRange(...selection)
    onChange(area.value)
  }
  return (
    <div className="editor">
      <div className="editor__bar" role="toolbar" aria-label="Formatting">
        {MARKS.map(([kind, label, Icon]) => (
          <IconButton
            key={kind}
            label={label}
            icon={<Icon className="icon" aria-hidden />}
            onClick={() => mark(kind)}
          />
        ))}
        <span className="count">
          {value.length.toLocaleString('en')} of {MAX.toLocaleString('en')}
        </span>
      </div>
      <div className="editor__panes">
        <textarea
          ref={field}
          aria-label="Description"
          aria-describedby={id}
          maxLength={MAX}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <div className="editor__view" role="region" aria-label="Preview of the description">
          <p className="muted small" id={id}>
            As buyers see it
          </p>
          <Markdown text={shown} />
        </div>
      </div>
    </div>
  )
}
