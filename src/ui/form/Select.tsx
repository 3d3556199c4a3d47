import { ChevronDown } from 'lucide-react'
import type { Ref, SelectHTMLAttributes } from 'react'
import { checkOptions, type Option } from './select.rules.ts'

type SelectProps = {
  options: Option[]
  placeholder?: string
  ref?: Ref<HTMLSelectElement>
} & SelectHTMLAttributes<HTMLSelectElement>

/** A native select, because phones show their own picker for it. Rejects an option with an empty value. */
export function Select({ options, placeholder, className = '', ...rest }: SelectProps) {
  checkOptions(options)
  return (
    <span className="select">
      <select className={`input ${className}`} {...rest}>
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown className="icon icon--sm" aria-hidden />
    </span>
  )
}
