/** A direction of 512 steps from -127 to 127: a quarter of the room of floats. */
export type Vector = Int8Array

/** Scales a vector to length one and to bytes. */
export function tuneTo(given: ArrayLike<number>): Vector {
  const values = Array.from(given)
  const most = Math.max(...values.map(Math.abs)) || 1
  return Int8Array.from(values, (value) => Math.round((value / most) * 127))
}

/** 1 for the same direction, 0 for none in common. */
export function nearness(one: Vector, other: Vector): number {
  let [dot, first, second] = [0, 0, 0]
  for (let i = 0; i < one.length; i++) {
    dot += one[i]! * other[i]!
    first += one[i]! * one[i]!
    second += other[i]! * other[i]!
  }
  return first === 0 || second === 0 ? 0 : dot / Math.sqrt(first * second)
}
