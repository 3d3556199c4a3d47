import { readFileSync } from 'node:fs'
import { type Matrix, openMultiplier } from './multiply.server.ts'

// Reads encoder.bin. Matrices are quantized: one scale per row and integers from -127 to 127. Vectors are floats.

export type Rows = Omit<Matrix, 'bias'>
export type Norm = { scale: Float32Array; bias: Float32Array }
export type Layer = {
  /** Only in the first layer: projects the input to the size of the output. */
  adjust?: Matrix
  before: Norm
  query: Matrix
  merge: Matrix
  between: Norm
  widen: Matrix
  narrow: Matrix
}
export type Model = {
  embeddings: Rows
  timing: Float32Array
  layers: [Layer, Layer]
  output: Matrix
  multiply: ReturnType<typeof openMultiplier>['multiply']
}

const FILE = new URL('encoder.bin', import.meta.url)
const WORDS = 8002
const EMBEDDED = 256
const SIZE = 512
const HIDDEN = 1536
export const MAX_TOKENS = 128

export function readModel(): Model {
  const { buffer, byteOffset, length } = readFileSync(FILE)
  const { allocate, multiply } = openMultiplier({ weights: length, maxFloats: MAX_TOKENS * HIDDEN })
  let at = byteOffset
  const vector = (length: number): Float32Array => {
    const values = new Float32Array(buffer.slice(at, at + 4 * length))
    at += 4 * length
    return values
  }
  const rows = (inputs: number, outputs: number): Rows => {
    const scales = vector(outputs)
    const steps = new Int8Array(buffer, at, inputs * outputs)
    at += steps.length
    const values = allocate(steps.length)
    for (let i = 0; i < values.length; i++) values[i] = steps[i]! * scales[Math.floor(i / inputs)]!
    return { inputs, outputs, values }
  }
  const matrix = (inputs: number, outputs: number): Matrix => ({ ...rows(inputs, outputs), bias: vector(outputs) })
  const norm = (size: number): Norm => ({ scale: vector(size), bias: vector(size) })
  const layer = (size: number): Layer => ({
    ...(size !== SIZE && { adjust: matrix(size, SIZE) }),
    before: norm(size),
    query: matrix(size, 3 * size),
    merge: matrix(size, SIZE),
    between: norm(SIZE),
    widen: matrix(SIZE, HIDDEN),
    narrow: matrix(HIDDEN, SIZE),
  })
  return {
    embeddings: rows(EMBEDDED, WORDS),
    timing: vector(EMBEDDED / 2),
    layers: [layer(EMBEDDED), layer(SIZE)],
    output: matrix(SIZE, SIZE),
    multiply,
  }
}
