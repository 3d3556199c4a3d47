import { type Layer, MAX_TOKENS, type Model, type Norm } from './model.server.ts'

// The forward pass of the Universal Sentence Encoder (lite): two attention layers, a mean over tokens, a dense layer.
// The attention layers differ only in size.

const HEADS = 4
const EPSILON = 1e-6

/** Returns the embedding of a sentence, normalized to length 1. */
export function encode(model: Model, ids: number[]): Float32Array {
  const tokens = ids.slice(0, MAX_TOKENS)
  const states = model.layers.reduce(
    (input, layer) => applyLayer(layer, { ...model, input, count: tokens.length }),
    embed(model, tokens),
  )
  const size = model.output.outputs
  const mean = new Float32Array(size)
  for (let at = 0; at < states.length; at++) mean[at % size]! += states[at]! / Math.max(1, tokens.length)
  const direction = model.multiply(model.output, mean, 1).map(Math.tanh)
  const length = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0)) || 1
  return direction.map((value) => value / length)
}

/** Adds the position encoding to twice the token embedding, as in training. */
function embed({ embeddings: { outputs: rows, inputs: size, values }, timing }: Model, ids: number[]): Float32Array {
  const states = new Float32Array(ids.length * size)
  const half = size / 2
  ids.forEach((id, position) => {
    const row = Math.min(id, rows - 1) * size
    for (let i = 0; i < size; i++) {
      const angle = position * timing[i % half]!
      states[position * size + i] = 2 * values[row + i]! + (i < half ? Math.sin(angle) : Math.cos(angle))
    }
  })
  return states
}

type Step = Pick<Model, 'multiply'> & { input: Float32Array; count: number }

function applyLayer(layer: Layer, { multiply, input, count }: Step): Float32Array {
  const states = layer.adjust ? multiply(layer.adjust, input, count) : input.slice()
  const mixed = multiply(layer.query, normalize(layer.before, input), count)
  add(states, multiply(layer.merge, attend(mixed, count), count))
  const hidden = multiply(layer.widen, normalize(layer.between, states), count)
  for (let i = 0; i < hidden.length; i++) if (hidden[i]! < 0) hidden[i] = 0
  return add(states, multiply(layer.narrow, hidden, count))
}

function add(states: Float32Array, more: Float32Array): Float32Array {
  for (let i = 0; i < states.length; i++) states[i]! += more[i]!
  return states
}

function normalize({ scale, bias }: Norm, input: Float32Array): Float32Array {
  const size = scale.length
  const output = new Float32Array(input.length)
  for (let start = 0; start < input.length; start += size) {
    let sum = 0
    for (let i = 0; i < size; i++) sum += input[start + i]!
    const mean = sum / size
    let squares = 0
    for (let i = 0; i < size; i++) squares += (input[start + i]! - mean) ** 2
    const factor = 1 / Math.sqrt(squares / size + EPSILON)
    for (let i = 0; i < size; i++) output[start + i] = (input[start + i]! - mean) * factor * scale[i]! + bias[i]!
  }
  return output
}

/** `mixed` contains query, key and value of each token. */
function attend(mixed: Float32Array, count: number): Float32Array {
  const row = mixed.length / count
  const size = row / 3
  const width = size / HEADS
  const output = new Float32Array(count * size)
  const weights = new Float32Array(count)
  for (let head = 0; head < size; head += width)
    for (let token = 0; token < count; token++) {
      const query = token * row + head
      let most = -Infinity
      for (let other = 0; other < count; other++) {
        const key = other * row + size + head
        let sum = 0
        for (let i = 0; i < width; i++) sum += mixed[query + i]! * mixed[key + i]!
        weights[other] = sum / Math.sqrt(width)
        most = Math.max(most, weights[other]!)
      }
      let total = 0
      for (let other = 0; other < count; other++) total += weights[other] = Math.exp(weights[other]! - most)
      for (let other = 0; other < count; other++) {
        const value = other * row + 2 * size + head
        const weight = weights[other]! / total
        for (let i = 0; i < width; i++) output[token * size + head + i]! += weight * mixed[value + i]!
      }
    }
  return output
}
