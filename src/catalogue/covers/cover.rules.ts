import { diceOf, type Ink, motifOf, path, range, type Shape } from './cover.motifs.ts'

/** A cover on a ground of 320 x 240 units. `hue` is in OKLCH degrees. */
export type Drawing = { ink: Ink; hue: number; shapes: Shape[] }

export type CoverOf = { id: string; categoryId: string; title: string }

/** Draws the cover from category, id and title alone, so that it never changes. */
export function drawCover({ id, categoryId, title }: CoverOf): Drawing {
  const { hue, inks, draw } = motifOf(categoryId)
  const hash = hashOf(`${categoryId}:${id}`)
  return {
    ink: inks[hash % 3]!,
    hue: hue + ((hash >>> 8) % 25) - 12,
    shapes: [...draw(diceOf(hash), title), ...signature(hash)],
  }
}

function signature(hash: number): Shape[] {
  const dots = (isPunched: boolean) =>
    range(8, (i) => ((((hash >>> i) & 1) === 1) === isPunched ? `M${19 + i * 9} 222h0` : '')).join('')
  return [path('s1', dots(true) + dots(false), 5.4), path('s0', dots(false), 3.6)]
}

/** Calculates a 32-bit FNV-1a hash with a final mix. */
function hashOf(text: string) {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519)
  return (hash ^ (hash >>> 13)) >>> 0
}
