import type { Point } from '../turning/gesture.rules.ts'
import type { Box } from './ink.rules.ts'

export const MAX_ZOOM = 3
export const ZOOM_STEP = 0.5
const DOUBLE_TAP_ZOOM = 2

export const zoomAfterDoubleTap = (zoom: number): number => (zoom > 1 ? 1 : DOUBLE_TAP_ZOOM)

/** How far to scroll so that the part of the page under `point` stays there when the page changes its size. */
export const scrollToKeep = ({ x, y }: Point, before: Box, after: Box): { left: number; top: number } => ({
  left: after.left + ((x - before.left) / before.width) * after.width - x,
  top: after.top + ((y - before.top) / before.height) * after.height - y,
})

/** Safari shows larger canvases empty. */
const MAX_PIXELS = 16_000_000

/** Pixels of a canvas for each CSS pixel of its box. */
export const densityOf = (width: number, height: number, screen: number): number =>
  Math.min(2, screen, Math.sqrt(MAX_PIXELS / (width * height)))
