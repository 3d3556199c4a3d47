import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { required } from '../../../kit/values/required.ts'
import { type Box, cropTo, findInk } from './ink.rules.ts'
import { densityOf } from './zoom.rules.ts'

export type Drawing = { canvas: HTMLCanvasElement; done: Promise<void>; cancel: () => void }

/** Draws a part of a page, with `scale` CSS pixels for each unit of the page. */
export function drawPart(page: PDFPageProxy, part: Box, scale: number): Drawing {
  const [width, height] = [part.width * scale, part.height * scale]
  const density = densityOf(width, height, devicePixelRatio)
  const dense = scale * density
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(width * density))
  canvas.height = Math.max(1, Math.floor(height * density))
  canvas.style.width = `${Math.floor(width)}px`
  const viewport = page.getViewport({ scale: dense, offsetX: -part.left * dense, offsetY: -part.top * dense })
  const task = page.render({ canvas, viewport })
  return { canvas, done: task.promise, cancel: () => task.cancel() }
}

export function wholeOf(page: PDFPageProxy): Box {
  const { width, height } = page.getViewport({ scale: 1 })
  return { left: 0, top: 0, width, height }
}

const SAMPLE_WIDTH = 240
/** A page above this height is not cropped, because its picture would need too much memory. */
const MAX_SAMPLE_HEIGHT = 4 * SAMPLE_WIDTH
const crops = new WeakMap<PDFPageProxy, Box>()

/** Returns the part of a page without its margins, or the whole page if that cannot be found. */
export async function cropOf(page: PDFPageProxy, signal: AbortSignal): Promise<Box> {
  const known = crops.get(page)
  if (known) return known
  const crop = await measure(page, signal).catch(() => wholeOf(page))
  if (!signal.aborted) crops.set(page, crop)
  return crop
}

async function measure(page: PDFPageProxy, signal: AbortSignal): Promise<Box> {
  const whole = wholeOf(page)
  const scale = SAMPLE_WIDTH / whole.width
  const viewport = page.getViewport({ scale })
  if (viewport.height > MAX_SAMPLE_HEIGHT) return whole
  const canvas = document.createElement('canvas')
  canvas.width = SAMPLE_WIDTH
  canvas.height = Math.max(1, Math.ceil(viewport.height))
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
  const pixels = required(canvas.getContext('2d'), 'the canvas').getImageData(0, 0, canvas.width, canvas.height)
  return cropTo(findInk(pixels), scale, whole)
}
