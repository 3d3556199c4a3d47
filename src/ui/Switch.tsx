type SwitchProps = { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** A setting that is on or off, with its name and what it does. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <span>
        <strong>{label}</strong>
        {hint && <small>{hint}</small>}
      </span>
      <input type="checkbox" role="switch" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    </label>
  )
}
