import './addProduct.css'
import { FileText, GraduationCap, KeyRound, Layers, type LucideIcon, TicketCheck } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { KindName } from '../kinds.rules.ts'

type Kind = { kind: KindName; name: string; about: string; Icon: LucideIcon }

const KINDS: Kind[] = [
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
      {KINDS.map((one, i) => (
        <label key={one.kind} className="kinds__one">
          <input
            ref={i === 0 ? first : undefined}
            type="radio"
            name={name}
            className="sr"
            checked={one.kind === value}
            onChange={() => onChange(one.kind)}
          />
          <Face kind={one} />
        </label>
      ))}
    </fieldset>
  )
}

type KindButtonsProps = { label: string; value: KindName; onChange: (kind: KindName) => void }

/** The kinds as buttons, for a choice that is saved at once. In a radio group each arrow key would save another. */
export const KindButtons = ({ label, value, onChange }: KindButtonsProps) => (
  <div className="kinds" role="group" aria-label={label}>
    {KINDS.map((one) => (
      <button
        key={one.kind}
        type="button"
        className="kinds__one"
        aria-pressed={one.kind === value}
        onClick={() => onChange(one.kind)}
      >
        <Face kind={one} />
      </button>
    ))}
  </div>
)

const Face = ({ kind: { name, about, Icon } }: { kind: Kind }) => (
  <>
    <Icon className="icon" aria-hidden />
    <span>
      <strong>{name}</strong>
      <small>{about}</small>
    </span>
  </>
)
