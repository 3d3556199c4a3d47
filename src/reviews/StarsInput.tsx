import { Star } from 'lucide-react'

type StarsInputProps = { value: number; onChange: (stars: number) => void; error?: string; errorId: string }

export const StarsInput = ({ value, onChange, error, errorId }: StarsInputProps) => (
  <fieldset className="stars" aria-describedby={error ? errorId : undefined}>
    <legend>Your rating</legend>
    {[1, 2, 3, 4, 5].map((stars) => (
      <label key={stars} className={stars <= value ? 'is-on' : ''}>
        <input
          type="radio"
          name="stars"
          className="sr"
          checked={stars === value}
          aria-label={`${stars} star${stars === 1 ? '' : 's'}`}
          onChange={() => onChange(stars)}
        />
        <Star className="icon" aria-hidden />
      </label>
    ))}
    <span className="small muted" aria-hidden>
      {value > 0 && `${value} of 5`}
    </span>
  </fieldset>
)
