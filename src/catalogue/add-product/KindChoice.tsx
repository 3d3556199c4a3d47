import { FileText, GraduationCap, KeyRound, Layers, type LucideIcon, TicketCheck } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { KindName } from '../kinds.rules.ts'

const KINDS: { kind: KindName; name: string; about: string; Icon: LucideIcon }[] = [
  { kind: 'file', name: 'Files', about: 'Books, sounds, pictures, templates', Icon: FileText },
  { kind: 'course', name: 'A course', about: 'Lessons in order, dates, a certificate', Icon: GraduationCap },
  { kind: 'license', name: 'Licence keys', about: 'One for each buyer, with devices', Icon: KeyRound },
  { kind: 'code', name: 'Codes', about: 'Each sold copy delivers one code', Icon: TicketCheck },
  { kind: 'bundle', name: 'A bundle', about: 'Several of your products together', Icon: Layers },
]

type KindChoiceProps = { value: KindName | ''; onChange: (kind: KindName) => void }

/** The first question of Add Product. Without an answer, the category determines the kind of goods. */
export function KindChoice({ value, onChange }: KindChoiceProps) {
  const name = useId()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (matchMedia('(min-width: 768px)').matches) first.current?.focus()
  }, [])
  return (
    <fieldset className="kinds">
      <legend>What do you sell?</legend>
      {KINDS.map(({ kind, name: title, about, Icon }, i) => (
        <label key={kind} className="kinds__one">
          <input
            ref={i === 0 ? first : undefined}
            type="radio"
            name={name}
            className="sr"
            checked={kind === value}
            onChange={() => onChange(kind)}
          />
          <Icon className="icon" aria-hidden />
          <span>
            <strong>{title}</strong>
            <small>{about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
