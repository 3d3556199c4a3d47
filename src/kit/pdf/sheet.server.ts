import type { Lines, Place } from './lines.server.ts'

export const MARGIN = 56
export const WIDTH = 595.28 - 2 * MARGIN
export const FOOT = 841.89 - MARGIN - 24
export const INK = '#000'
export const MUTED = '#555'
export const SMALL = { size: 9, color: MUTED }
export const PAGE: Place = { x: MARGIN, width: WIDTH, isRight: false }

export type Sheet = ReturnType<typeof openSheet>

/** The pages of a document, filled from top to bottom. `y` is where the next part begins. */
export function openSheet(pdf: PDFKit.PDFDocument) {
  const sheet = { y: MARGIN, makeRoom, artifact, underline }

  /** Begins a page if the current one lacks this height. Returns whether it did. */
  function makeRoom(height: number): boolean {
    if (sheet.y + height <= FOOT) return false
    pdf.addPage()
    sheet.y = MARGIN
    return true
  }

  /** Draws what screen readers skip. */
  function artifact(type: 'Pagination' | 'Layout', drawing: () => void) {
    pdf.markContent('Artifact', { type })
    drawing()
    pdf.endMarkedContent()
  }

  function underline(below: number) {
    sheet.y += below
    artifact('Layout', () =>
      pdf
        .moveTo(MARGIN, sheet.y)
        .lineTo(MARGIN + WIDTH, sheet.y)
        .lineWidth(0.5)
        .strokeColor('#ccc')
        .stroke(),
    )
    sheet.y += 6
  }

  return sheet
}

/** Returns the text of an element in logical order, because a reader would otherwise read reordered glyphs as they are drawn. */
export const actual = (...parts: Lines[]): { actual?: string } =>
  parts.some((part) => part.isReordered) ? { actual: parts.map((part) => part.text).join(' ') } : {}
