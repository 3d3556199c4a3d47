import './selling.css'
import { CircleAlert } from 'lucide-react'
import { Button } from '../ui/Button.tsx'

type ChangedElsewhereProps<V, Name extends keyof V> = {
  form: {
    both: Name[]
    base: V
    values: V
    takeTheirs: (name: Name) => void
    keepMine: (name: Name) => void
  }
  names: Record<Name, string>
  describe: (name: Name, values: V) => string
}

/** Shows both versions of each field that another tab also changed. The typed one stays until the member chooses. */
export const ChangedElsewhere = <V, Name extends keyof V & string>({
  form,
  names,
  describe,
}: ChangedElsewhereProps<V, Name>) =>
  form.both.map((name) => (
    <section key={name} className="alert" aria-label={`${names[name]} changed elsewhere`}>
      <CircleAlert className="icon" aria-hidden />
      <div className="alert__text" role="alert">
        <strong>{names[name]} changed elsewhere</strong>
        <p className="clamp-3 wrap-anywhere">Saved there: {describe(name, form.base)}</p>
        <p className="clamp-3 wrap-anywhere">Yours: {describe(name, form.values)}</p>
      </div>
      <div className="alert__do">
        <Button onClick={() => form.takeTheirs(name)}>Use theirs</Button>
        <Button tone="ghost" onClick={() => form.keepMine(name)}>
          Keep mine
        </Button>
      </div>
    </section>
  ))
