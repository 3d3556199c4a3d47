import './methods.css'
import { CircleDollarSign, CreditCard, LogIn, type LucideIcon, Wallet } from 'lucide-react'
import { useId } from 'react'
import type { MethodChoice, Methods } from './methods.contract.ts'

type Option = { choice: MethodChoice; Icon: LucideIcon; title: string; hint: string }

const ICONS: Record<Methods['methods'][number]['step'], LucideIcon> = {
  window: LogIn,
  page: CreditCard,
  transfer: CircleDollarSign,
}

const optionsOf = ({ methods, saved }: Methods): Option[] => [
  ...saved.map(({ id, method, label }) => ({
    choice: { method, walletId: id },
    Icon: Wallet,
    title: label,
    hint: `${methods.find(({ name }) => name === method)?.label ?? method}, saved. Charged at once.`,
  })),
  ...methods.map(({ name, label, hint, step, isSandbox }) => ({
    choice: { method: name, walletId: null },
    Icon: ICONS[step],
    title: label,
    hint: isSandbox ? `${hint} Sandbox.` : hint,
  })),
]

type MethodChooserProps = {
  data: Methods
  value: MethodChoice
  onPick: (choice: MethodChoice) => void
  isNamed?: boolean
}

export function MethodChooser({ data, value, onPick, isNamed = false }: MethodChooserProps) {
  const name = useId()
  return (
    <fieldset className="picks">
      <legend className={isNamed ? 'sr' : 'picks__legend'}>How do you want to pay?</legend>
      <div className="list">
        {optionsOf(data).map(({ choice, Icon, title, hint }) => (
          <label key={choice.walletId ?? choice.method} className="pick">
            <input
              type="radio"
              name={name}
              checked={choice.method === value.method && choice.walletId === value.walletId}
              onChange={() => onPick(choice)}
            />
            <Icon className="icon" aria-hidden />
            <span>
              <strong>{title}</strong>
              <small className="clamp-2">{hint}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
