/** A direction in 512 steps from -127 to 127, a quarter of the room of floats, with its length. */
export type Vector = { steps: Int8Array; length: number }

/** Scales a vector to bytes. */
export function tuneTo(given: ArrayLike<number>): Vector {
  let most = 0
  for (let i = 0; i < given.length; i++) most = Math.max(most, Math.abs(given[i]!))
  const steps = new Int8Array(given.length)
  let squares = 0
  for (let i = 0; i < given.length; i++) {
    steps[i] = Math.round((given[i]! / (most || 1)) * 127)
    squares += steps[i]! * steps[i]!
  }
  return { steps, length: Math.sqrt(squares) }
}

/** 1 for the same direction, 0 for none in common. */
export function nearness({ steps: one, length }: Vector, { steps: other, length: otherLength }: Vector): number {
  let dot = 0
  for (let i = 0; i < one.length; i++) dot += one[i]! * other[i]!
  return length === 0 || otherLength === 0 ? 0 : dot / (length * otherLength)
}
