import type { Category } from '../catalogue.contract.ts'
import { hueOf } from '../hue.client.ts'

type CategoryChipsProps = { categories: Category[]; chosen: string | null; onChoose: (id: string | null) => void }

export const CategoryChips = ({ categories, chosen, onChoose }: CategoryChipsProps) => (
  <div className="chips" role="group" aria-label="Category">
    <button type="button" className="chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
      All
    </button>
    {categories.map(({ id, name }) => (
      <button
        key={id}
        type="button"
        className="chip"
        style={hueOf(id)}
        aria-pressed={chosen === id}
        onClick={() => onChoose(id)}
      >
        <span className="dot" />
        {name}
      </button>
    ))}
  </div>
)
