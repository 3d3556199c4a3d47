import { readFileSync } from 'node:fs'

/** `values` contains a row of `inputs` weights for each output. */
export type Matrix = { inputs: number; outputs: number; values: Float32Array; bias: Float32Array }

/** The types of Node.js lack WebAssembly. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer }
  Module: new (code: Uint8Array) => object
  Instance: new (code: object, imports: object) => { exports: object }
}

type Exports = {
  multiply: (weights: number, input: number, output: number, inputs: number, outputs: number, count: number) => void
}

const PAGE_BYTES = 65_536

/**
 * Multiplies with WebAssembly SIMD instructions, four times as fast as JavaScript. `allocate` reserves memory for
 * weights, which must be in the memory of WebAssembly. A call reads and writes at most `maxFloats` numbers.
 */
export function openMultiplier({ weights, maxFloats }: { weights: number; maxFloats: number }) {
  const initial = Math.ceil((4 * (weights + 2 * maxFloats)) / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial, maximum: initial })
  const code = new WebAssembly.Module(readFileSync(new URL('multiply.wasm', import.meta.url)))
  const kernel = new WebAssembly.Instance(code, { encoder: { memory } }).exports as Exports
  let used = 0
  const allocate = (length: number): Float32Array => {
    const place = new Float32Array(memory.buffer, 4 * used, length)
    used += length
    return place
  }
  const [from, to] = [allocate(maxFloats), allocate(maxFloats)]

  function multiply({ inputs, outputs, values, bias }: Matrix, input: Float32Array, count: number): Float32Array {
    from.set(input)
    kernel.multiply(values.byteOffset, from.byteOffset, to.byteOffset, inputs, outputs, count)
    const output = to.slice(0, count * outputs)
    for (let start = 0; start < output.length; start += outputs)
      for (let i = 0; i < outputs; i++) output[start + i]! += bias[i]!
    return output
  }
  return { allocate, multiply }
}
