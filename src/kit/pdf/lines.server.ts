import { type Face, JOINERS, openFaces, RIGHT_TO_LEFT } from './faces.server.ts'
import { breaksOf, isRightToLeft, type Run, runsOf, shapeOf, type Unit } from './runs.rules.ts'

export type Style = { isBold: boolean; size: number; color: string }
export type Place = { x: number; width: number; isRight: boolean }
/** `isReordered`: the order of the glyphs can differ from the order of the letters. */
export type Lines = {
  text: string
  lines: Line[]
  height: number
  isRightToLeft: boolean
  isReordered: boolean
  style: Style
}
type Line = { runs: (Run<Face> & { width: number })[]; width: number; ascent: number; height: number }

// control characters and variation selectors have no glyph
const UNSEEN = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const ARABIC = /\p{Script=Arabic}/u
const ASCII = /^[\x20-\x7e]*$/
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function createLines() {
  const faces = openFaces()
  let hasUnknown = false

  /** Splits a text into letters with their fonts. Replaces a letter that no font has by its base letter or by '?'. */
  function unitsOf(text: string, isBold: boolean): Unit<Face>[] {
    const first = faces.first(isBold)
    const units: Unit<Face>[] = []
    const hasSpace = ({ font }: Face) => font.hasGlyphForCodePoint(0x20)
    const add = (letters: string, face: Face) => {
      const last = units.at(-1)
      const from = last ? last.from + last.text.length : 0
      // a space uses the font of the letter before, if that font has a space
      units.push({ from, text: letters, face: letters === ' ' && last && hasSpace(last.face) ? last.face : face })
    }
    const addSingle = (letter: string) => {
      if (letter.replace(JOINERS, '') === '') return
      const face = faces.find(letter, isBold)
      if (face) return add(letter, face)
      const [base] = letter.normalize('NFKD')
      const other = base && base !== letter ? faces.find(base, isBold) : null
      if (base && other) return add(base, other)
      hasUnknown = true
      add('?', first)
    }
    const plain = text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
    if (ASCII.test(plain)) {
      for (const [from, letter] of [...plain].entries()) units.push({ from, text: letter, face: first })
      return units
    }
    for (const { segment } of GRAPHEMES.segment(plain)) {
      const face = faces.find(segment, isBold)
      if (face) add(segment, face)
      else for (const letter of segment) addSingle(letter)
    }
    return joined(units)
  }

  function layOut(text: string, style: Style, width: number): Lines {
    const units = unitsOf(text, style.isBold)
    const shape = shapeOf(units)
    const whole = shape.text
    const measured = (from: number, to: number) =>
      runsOf(shape, from, to).map((run) => ({
        ...run,
        width: run.face.widthOf(run.text, run.isRightToLeft) * style.size,
      }))
    const sum = (from: number, to: number) => measured(from, to).reduce((total, run) => total + run.width, 0)
    const lineOf = (from: number, to: number): Line => {
      const end = from + whole.slice(from, to).trimEnd().length
      const runs = measured(from, end)
      const last = runs.at(-1)
      const width = runs.reduce((total, run) => total + run.width, 0)
      // copied text needs a space between two lines
      if (end < to && last && !last.isRightToLeft && !isRightToLeft(shape)) last.text += ' '
      return { runs, width, ...heightOf(runs, style) }
    }

    const lines: Line[] = []
    let start = 0
    let filled = 0
    let from = 0
    const endLine = (at: number) => {
      lines.push(lineOf(start, at))
      start = at
      filled = 0
    }
    for (const to of breaksOf(whole)) {
      const bare = sum(from, from + whole.slice(from, to).trimEnd().length)
      if (filled > 0 && filled + bare > width) endLine(from)
      if (bare > width) {
        // a word that is longer than a line may break between any two letters
        for (const unit of units.filter((one) => one.from >= from && one.from < to)) {
          const own = sum(unit.from, unit.from + unit.text.length)
          if (filled > 0 && filled + own > width && unit.text !== ' ') endLine(unit.from)
          filled += own
        }
      } else filled += sum(from, to)
      from = to
    }
    if (start < whole.length || lines.length === 0) lines.push(lineOf(start, whole.length))
    return {
      text: whole,
      lines,
      height: lines.reduce((total, line) => total + line.height, 0),
      isRightToLeft: isRightToLeft(shape),
      isReordered: !(shape.isUniform && units[0]?.face.name === 'dejaVu'),
      style,
    }
  }

  function heightOf(runs: Run<Face>[], { isBold, size }: Style) {
    const fonts = [faces.first(isBold).font, ...runs.map(({ face }) => face.font)]
    const ascent = Math.max(...fonts.map((font) => (font.ascent * size) / font.unitsPerEm))
    const descent = Math.max(...fonts.map((font) => ((font.lineGap - font.descent) * size) / font.unitsPerEm))
    return { ascent, height: ascent + descent }
  }

  return { layOut, font: (isBold: boolean) => faces.first(isBold).font, hasUnknown: () => hasUnknown }
}

/** Uses one font for all letters of an Arabic word, because they join. */
function joined(units: Unit<Face>[]): Unit<Face>[] {
  const isSpace = ({ text }: Unit<Face>) => text === ' '
  return units.map((unit, i) => {
    if (unit.face.name !== 'dejaVu' || !ARABIC.test(unit.text)) return unit
    const from = units.findLastIndex((other, k) => k < i && isSpace(other)) + 1
    const end = units.findIndex((other, k) => k > i && isSpace(other))
    const word = units.slice(from, end < 0 ? units.length : end)
    const other = word.find(({ face, text }) => face.name === 'arabic' && ARABIC.test(text))?.face
    const codes = [...unit.text].map((letter) => letter.codePointAt(0) ?? 0)
    return other && codes.every((code) => other.font.hasGlyphForCodePoint(code)) ? { ...unit, face: other } : unit
  })
}

export function drawLines(pdf: PDFKit.PDFDocument, text: Lines, place: Place, top: number) {
  const { size, color } = text.style
  let y = top
  for (const line of text.lines) {
    const isAtRight = place.isRight || text.isRightToLeft
    let x = isAtRight ? place.x + place.width - line.width : place.x
    for (const run of line.runs) {
      setFont(pdf, run.face)
      pdf.fontSize(size).fillColor(color)
      pdf.text(run.text, x, y + line.ascent, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(run.isRightToLeft && { features: [RIGHT_TO_LEFT] }),
      })
      x += run.width
    }
    y += line.height
  }
}

function setFont(pdf: PDFKit.PDFDocument, { font }: Face) {
  // pdfkit accepts opened fonts, but its types do not
  pdf.registerFont(font.postscriptName, font as unknown as Buffer)
  pdf.font(font.postscriptName)
}
