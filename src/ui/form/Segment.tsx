type SegmentProps<V extends string | number> = {
  label: string
  options: { value: V; label: string }[]
  value: V
  onChange: (value: V) => void
}

export const Segment = <V extends string | number>({ label, options, value, onChange }: SegmentProps<V>) => (
  <div className="segment" role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
)
