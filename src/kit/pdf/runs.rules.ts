import bidiFactory, { type Bidi, type EmbeddingLevels } from 'bidi-js'
import LineBreaker from 'linebreak'

// the types describe an ES module, but Node.js imports the factory itself
export const bidi = (bidiFactory as unknown as () => Bidi)()

/** A part of a text that has one font. `from` counts UTF-16 units. */
export type Unit<Face> = { from: number; text: string; face: Face }
/** A part of a line that has one font and one direction. `text` is in logical order. */
export type Run<Face> = { text: string; face: Face; isRightToLeft: boolean }

// scripts that put no spaces between words
const SPACELESS = /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu
const WORDS = new Intl.Segmenter('th', { granularity: 'word' })

export function breaksOf(text: string): number[] {
  const places = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) places.add(next.position)
  for (const { index, 0: letters } of text.matchAll(SPACELESS))
    for (const word of WORDS.segment(letters)) if (word.index > 0) places.add(index + word.index)
  places.add(text.length)
  places.delete(0)
  return [...places].toSorted((a, b) => a - b)
}

/** A text with its fonts and directions. The first letter with a direction determines that of the paragraph. */
export type Shape<Face> = { text: string; units: readonly Unit<Face>[]; levels: EmbeddingLevels; isUniform: boolean }

// all code points before Hebrew, the first right-to-left script in Unicode
const LEFT_TO_RIGHT = /^[\0-\u058f]*$/
const leftToRight = ({ length }: string): EmbeddingLevels => ({
  levels: new Uint8Array(length),
  paragraphs: [{ start: 0, end: length - 1, level: 0 }],
})

export function shapeOf<Face>(units: readonly Unit<Face>[]): Shape<Face> {
  const text = units.map((unit) => unit.text).join('')
  const levels = LEFT_TO_RIGHT.test(text) ? leftToRight(text) : bidi.getEmbeddingLevels(text)
  const isUniform = units.every(({ face }) => face === units[0]?.face) && levels.levels.every((level) => level === 0)
  return { text, units, levels, isUniform }
}

export const isRightToLeft = ({ levels }: Shape<unknown>): boolean => (levels.paragraphs[0]?.level ?? 0) % 2 === 1

export function runsOf<Face>({ text, units, levels, isUniform }: Shape<Face>, from: number, to: number): Run<Face>[] {
  const [first] = units
  if (from >= to || !first) return []
  if (isUniform) return [{ text: text.slice(from, to), face: first.face, isRightToLeft: false }]
  const runs: (Run<Face> & { from: number; to: number; level: number })[] = []
  const unitAt = new Map(units.filter((unit) => unit.from >= from && unit.from < to).map((unit) => [unit.from, unit]))
  for (const index of bidi.getReorderedIndices(text, levels, from, to - 1)) {
    const unit = unitAt.get(index)
    if (!unit) continue
    const level = levels.levels[index] ?? 0
    const end = index + unit.text.length
    const last = runs.at(-1)
    const isNext = last && (level % 2 === 1 ? end === last.from : index === last.to)
    if (isNext && last.face === unit.face && last.level === level) {
      last.from = Math.min(last.from, index)
      last.to = Math.max(last.to, end)
    } else runs.push({ text: '', face: unit.face, isRightToLeft: level % 2 === 1, from: index, to: end, level })
  }
  return runs.map((run) => ({ text: text.slice(run.from, run.to), face: run.face, isRightToLeft: run.isRightToLeft }))
}
