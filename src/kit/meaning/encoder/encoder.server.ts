import { readFileSync } from 'node:fs'
import { readModel } from './model.server.ts'
import { encode } from './network.server.ts'
import { createTokenizer } from './tokens.rules.ts'

/** Loads the model. Returns a function that converts a sentence to an embedding of 512 numbers. */
export function openEncoder(): (text: string) => Float32Array {
  const lines = readFileSync(new URL('vocabulary.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const tokenize = createTokenizer(
    lines.map((line) => {
      const [text = '', score] = line.split('\t')
      return { text, score: Number(score) }
    }),
  )
  const model = readModel()
  return (text) => encode(model, tokenize(text))
}
