import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as fontkit from 'fontkit'
import { bidi } from './runs.rules.ts'
import { type FaceName, SCRIPTS_OF_FACE } from './scripts.rules.ts'

export type Face = {
  name: FaceName
  font: fontkit.Font
  widthOf: (text: string, isRightToLeft: boolean) => number
}
export type Faces = ReturnType<typeof openFaces>

const { resolve } = createRequire(import.meta.url)
const own = (name: string) => join(import.meta.dirname, 'fonts', `${name}.ttf`)
const packed = (name: string, family: string) => (weight: string) =>
  resolve(`@expo-google-fonts/${name}/${weight}/${family}_${weight}.ttf`)
const REGULAR = '400Regular'
const BOLD = '700Bold'

const FILES: Record<FaceName, (weight: string) => string> = {
  dejaVu: (weight) => own(`DejaVuSansCondensed${weight === BOLD ? '-Bold' : ''}`),
  droid: () => own('DroidSansFallbackFull'),
  arabic: packed('noto-sans-arabic', 'NotoSansArabic'),
  nanum: packed('nanum-gothic', 'NanumGothic'),
  thai: packed('noto-sans-thai', 'NotoSansThai'),
  devanagari: packed('noto-sans-devanagari', 'NotoSansDevanagari'),
  bengali: packed('noto-sans-bengali', 'NotoSansBengali'),
  tamil: packed('noto-sans-tamil', 'NotoSansTamil'),
  telugu: packed('noto-sans-telugu', 'NotoSansTelugu'),
}

// punctuation of Chinese, Japanese and Korean texts
const WIDE = String.raw`\u3000-\u303f\uff00-\uffef`
const isFor = (name: FaceName) =>
  new RegExp(
    `[${SCRIPTS_OF_FACE[name].map((script) => String.raw`\p{scx=${script}}`).join('')}${name === 'droid' || name === 'nanum' ? WIDE : ''}]`,
    'u',
  )
const FALLBACKS = (Object.keys(FILES) as FaceName[])
  .filter((name) => name !== 'dejaVu')
  .map((name) => ({ name, letters: isFor(name) }))

const bytesOf = new Map<string, Buffer>()
function readOnce(path: string): Buffer {
  // fontkit reads a glyph header past the end of a file whose last glyph has no outline
  const bytes = bytesOf.get(path) ?? Buffer.concat([readFileSync(path), Buffer.alloc(16)])
  bytesOf.set(path, bytes)
  return bytes
}

export function openFaces() {
  const opened = new Map<string, Face>()

  function open(name: FaceName, isBold: boolean): Face {
    const key = `${name} ${isBold}`
    const known = opened.get(key)
    if (known) return known
    const path = FILES[name](isBold ? BOLD : REGULAR)
    const other = opened.get(path)
    const face = other ?? { name, ...withLetters(fontkit.create(readOnce(path)) as fontkit.Font) }
    opened.set(key, face)
    opened.set(path, face)
    return face
  }

  function search(letters: string, isBold: boolean): Face | null {
    const codes = [...letters.replaceAll(JOINERS, '')].map((letter) => letter.codePointAt(0) ?? 0)
    const candidates = FALLBACKS.filter((fallback) => fallback.letters.test(letters)).map(({ name }) => name)
    for (const name of ['dejaVu', ...candidates] as const) {
      const face = open(name, isBold)
      if (codes.every((code) => face.font.hasGlyphForCodePoint(code))) return face
    }
    return null
  }

  const found = new Map<string, Face | null>()
  function find(letters: string, isBold: boolean): Face | null {
    const key = `${isBold ? 'b' : 'r'}${letters}`
    const known = found.get(key)
    const face = known === undefined ? search(letters, isBold) : known
    found.set(key, face)
    return face
  }
  return { first: (isBold: boolean) => open('dejaVu', isBold), find }
}

/** Joiners change the shape of the letters around them but have no glyph. */
export const JOINERS = /[\u200c\u200d]/g

/** The OpenType feature that marks a right-to-left run. */
export const RIGHT_TO_LEFT = 'rtla'

type Shaped = Pick<fontkit.GlyphRun, 'positions'> & {
  width: number
  glyphs: { id: number; advanceWidth: number; codePoints: number[] }[]
}
type Subset = { glyphs: number[]; includeGlyph: (glyph: number | { id: number }) => number; encode: () => Uint8Array }

const FIRST_ID = 0x10000
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Wraps a font so that text copied from the PDF has its letters in the original order. The shaping of Indic scripts
 * moves and splits glyphs, and one glyph may represent different letters. Therefore each pair of a glyph and its
 * letters gets its own id and place in the embedded font.
 */
function withLetters(font: fontkit.Font): Omit<Face, 'name'> {
  const ids = new Map<string, number>()
  const glyphOf: number[] = []
  const words = new Map<string, Shaped>()
  const clusters = new Map<string, number[]>()

  function idOf(glyph: number, codePoints: number[]): number {
    const key = `${glyph} ${codePoints.join(' ')}`
    const id = ids.get(key) ?? FIRST_ID + glyphOf.push(glyph) - 1
    ids.set(key, id)
    return id
  }

  function glyphsOf(cluster: string, direction: 'rtl' | 'ltr'): number[] {
    const key = `${direction}${cluster}`
    const known = clusters.get(key)
    if (known) return known
    const glyphs = layOut(font, cluster, direction).glyphs.map(({ id }) => id)
    if (direction === 'rtl') glyphs.reverse()
    clusters.set(key, glyphs)
    return glyphs
  }

  function shape(text: string, isRightToLeft: boolean): Shaped {
    const letters = [...text]
    const drawn = isRightToLeft ? letters.map((letter) => bidi.getMirroredCharacter(letter) ?? letter).join('') : text
    const direction = isRightToLeft ? 'rtl' : 'ltr'
    const run = layOut(font, drawn, direction)
    const read = isRightToLeft ? run.glyphs.toReversed() : run.glyphs
    const isSame =
      read.every(({ codePoints }) => codePoints.length > 0) &&
      String.fromCodePoint(...read.flatMap(({ codePoints }) => codePoints)) === text
    const shares = isSame ? read.map(({ codePoints }) => codePoints) : shareByCluster()
    if (isRightToLeft) shares.reverse()
    const glyphs = run.glyphs.map(({ id, advanceWidth }, i) => {
      const codePoints = shares[i] ?? []
      return { id: idOf(id, codePoints), advanceWidth, codePoints }
    })

    /** Assigns letters to glyphs within each cluster. Uses the whole text if separately shaped clusters differ. */
    function shareByCluster(): number[][] {
      const parts = [...GRAPHEMES.segment(text)].map(({ segment }) => segment)
      const alone = parts.map((part) => glyphsOf(part, direction))
      const isSplit = alone.flat().join() === read.map(({ id }) => id).join()
      return isSplit
        ? parts.flatMap((cluster, i) => share([...cluster], alone[i]?.length ?? 0))
        : share(letters, read.length)
    }
    return { glyphs, positions: run.positions, width: run.advanceWidth / font.unitsPerEm }
  }

  function shapeOnce(word: string, isRightToLeft: boolean): Shaped {
    const key = `${isRightToLeft ? 'r' : 'l'}${word}`
    const shaped = words.get(key) ?? shape(word, isRightToLeft)
    words.set(key, shaped)
    return shaped
  }

  const partsOf = (text: string) => text.split(/(?<= )/)

  const wrapped = Object.create(font, {
    layout: {
      value(text: string, features: string[] = []) {
        const isRightToLeft = features.includes(RIGHT_TO_LEFT)
        const parts = partsOf(text).map((word) => shapeOnce(word, isRightToLeft))
        if (isRightToLeft) parts.reverse()
        // copies the positions, because pdfkit scales them in place
        const positions = parts.flatMap((part) => part.positions.map((position) => ({ ...position })))
        return {
          glyphs: parts.flatMap(({ glyphs }) => glyphs),
          positions,
          get advanceWidth() {
            return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
          },
        }
      },
    },
    createSubset: {
      value() {
        const subset = font.createSubset() as unknown as Subset
        const include = subset.includeGlyph.bind(subset)
        const places = new Map<number, number>()
        subset.includeGlyph = (glyph) => {
          const id = typeof glyph === 'number' ? glyph : glyph.id
          const real = glyphOf[id - FIRST_ID]
          if (real === undefined) return include(glyph)
          const place = places.get(id) ?? subset.glyphs.push(real) - 1
          places.set(id, place)
          return place
        }
        return subset
      },
    },
  }) as fontkit.Font
  return {
    font: wrapped,
    widthOf: (text, isRightToLeft) =>
      partsOf(text).reduce((sum, part) => sum + shapeOnce(part, isRightToLeft).width, 0),
  }
}

const WITHOUT_MARKS = { abvm: false, blwm: false, mark: false, mkmk: false }

/**
 * Shapes a text. fontkit throws if a font positions a mark above some letters only, although OpenType allows it. Then
 * this function shapes the text without positioned marks.
 */
function layOut(font: fontkit.Font, text: string, direction: string): fontkit.GlyphRun {
  try {
    return font.layout(text, {}, undefined, undefined, direction)
  } catch {
    return font.layout(text, { ...WITHOUT_MARKS }, undefined, undefined, direction)
  }
}

const ZERO_WIDTH_SPACE = 0x200b

/** Assigns one letter to each glyph of a run, and the remaining letters to the last glyph. */
function share(letters: string[], count: number): number[][] {
  const codes = (letters.length < count ? [...letters.join('').normalize('NFD')] : letters).map(
    (letter) => letter.codePointAt(0) ?? 0,
  )
  return Array.from({ length: count }, (_, i) => {
    const own = i === count - 1 ? codes.slice(i) : codes.slice(i, i + 1)
    return own.length > 0 ? own : [ZERO_WIDTH_SPACE]
  })
}
