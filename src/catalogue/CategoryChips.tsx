import type { CSSProperties } from 'react'
import type { Category } from './catalogue.contract.ts'

type CategoryChipsProps = { categories: Category[]; chosen: string | null; onChoose: (id: string | null) => void }

/** 'All' and every category, to narrow the shelf by. */
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

/** The hue of a category's dot, for elements with the class dot. */
export const hueOf = (categoryId: string): CSSProperties => ({ '--h': `var(--hue-${categoryId}, 235)` })
