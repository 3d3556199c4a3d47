/** A direction in 512 steps from -127 to 127, a quarter of the room of floats, with its length. */
export type Vector = { steps: Int8Array; length: number }

/** Scales a vector to bytes. */
export function tuneTo(given: ArrayLike<number>): Vector {
  const values = Array.from(given)
  const most = Math.max(...values.map(Math.abs)) || 1
  const steps = Int8Array.from(values, (value) => Math.round((value / most) * 127))
  return { steps, length: Math.hypot(...steps) }
}

/** 1 for the same direction, 0 for none in common. */
export function nearness({ steps: one, length }: Vector, { steps: other, length: otherLength }: Vector): number {
  let dot = 0
  for (let i = 0; i < one.length; i++) dot += one[i]! * other[i]!
  return length === 0 || otherLength === 0 ? 0 : dot / (length * otherLength)
}
