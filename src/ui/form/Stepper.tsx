import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { isTooMany, parseQuantity } from './stepper.rules.ts'
import { toast } from '../toasts/toast.client.ts'

type StepperProps = {
  /** Accessible name: 'Quantity of Night Trains'. */
  label: string
  value: number
  onChange: (value: number) => void
  min?: number
  max: number
}

export function Stepper({ label, value, onChange, min = 1, max }: StepperProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const ofWhat = label.charAt(0).toLowerCase() + label.slice(1)
  const type = (text: string) => {
    setTyped(text)
    if (isTooMany(text, max) && !isTooMany(typed ?? '', max))
      toast({
        title: `At most ${max.toLocaleString('en')}`,
        description: `The quantity was set to ${max.toLocaleString('en')}.`,
        tone: 'plain',
      })
    const quantity = parseQuantity(text, min, max)
    if (quantity !== null && quantity !== value) onChange(quantity)
  }
  const leave = () => {
    if (typed !== null && parseQuantity(typed, min, max) === null)
      toast({
        title: 'Check the quantity',
        description: `Choose a whole number from ${min} to ${max.toLocaleString('en')}. The quantity is ${value.toLocaleString('en')}.`,
        tone: 'plain',
      })
    setTyped(null)
  }
  const step = (by: number) => {
    setTyped(null)
    onChange(value + by)
  }
  return (
    <span className="stepper" role="group" aria-label={label}>
      <button type="button" aria-label={`Decrease ${ofWhat}`} disabled={value <= min} onClick={() => step(-1)}>
        <Minus className="icon icon--sm" aria-hidden />
      </button>
      <input
        aria-label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        style={{ width: `${Math.max(2, String(value).length) + 1.5}ch` }}
        value={typed ?? value}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <button type="button" aria-label={`Increase ${ofWhat}`} disabled={value >= max} onClick={() => step(1)}>
        <Plus className="icon icon--sm" aria-hidden />
      </button>
    </span>
  )
}
