import { expect, test } from 'vitest'
import { type Box, cropTo, findInk, type Pixels } from './ink.rules.ts'

type Colour = [red: number, green: number, blue: number]
const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]
const CREAM: Colour = [250, 240, 210]

/** A page of 100 x 140 pixels with filled boxes. */
function draw(ground: Colour, ...boxes: [Colour, Box][]): Pixels {
  const [width, height] = [100, 140]
  const data = new Uint8ClampedArray(width * height * 4)
  const fill = (colour: Colour, box: Box) => {
    for (let y = box.top; y < box.top + box.height; y++)
      for (let x = box.left; x < box.left + box.width; x++) data.set([...colour, 255], (y * width + x) * 4)
  }
  fill(ground, { left: 0, top: 0, width, height })
  for (const [colour, box] of boxes) fill(colour, box)
  return { data, width, height }
}

const TEXT: Box = { left: 18, top: 20, width: 64, height: 90 }

test.each<[what: string, page: Pixels, ink: Box | null]>([
  ['text on white', draw(WHITE, [BLACK, TEXT]), TEXT],
  ['text on a tinted page', draw(CREAM, [BLACK, TEXT]), TEXT],
  ['text on a page with noise', draw(WHITE, [[235, 230, 228], { ...TEXT, left: 2 }], [BLACK, TEXT]), TEXT],
  [
    'text and a picture that is wider',
    draw(WHITE, [BLACK, TEXT], [[30, 90, 60], { left: 5, top: 60, width: 90, height: 30 }]),
    { left: 5, top: 20, width: 90, height: 90 },
  ],
  [
    'a picture that reaches the edge',
    draw(WHITE, [BLACK, TEXT], [[30, 90, 60], { left: 0, top: 0, width: 100, height: 30 }]),
    { left: 0, top: 0, width: 100, height: 110 },
  ],
  ['an empty page', draw(WHITE), null],
  ['an empty tinted page', draw(CREAM), null],
  [
    'one pixel',
    draw(WHITE, [BLACK, { left: 99, top: 139, width: 1, height: 1 }]),
    { left: 99, top: 139, width: 1, height: 1 },
  ],
])('finds the ink of %s', (_, page, ink) => {
  expect(findInk(page)).toEqual(ink)
})

const PAGE = { width: 600, height: 840 }

test.each<[what: string, ink: Box | null, crop: Box]>([
  ['an empty page whole', null, { left: 0, top: 0, width: 600, height: 840 }],
  [
    'a page to its text and a margin',
    { left: 18, top: 20, width: 64, height: 90 },
    { left: 96, top: 108, width: 408, height: 564 },
  ],
  [
    'a page with a short line to three fifths',
    { left: 45, top: 20, width: 10, height: 5 },
    { left: 120, top: 108, width: 360, height: 54 },
  ],
  [
    'a short line at the left edge within the page',
    { left: 0, top: 0, width: 10, height: 5 },
    { left: 0, top: 0, width: 360, height: 42 },
  ],
  [
    'a short line at the right edge within the page',
    { left: 90, top: 135, width: 10, height: 5 },
    { left: 240, top: 798, width: 360, height: 42 },
  ],
  [
    'a full page not at all',
    { left: 0, top: 0, width: 100, height: 140 },
    { left: 0, top: 0, width: 600, height: 840 },
  ],
])('crops %s', (_, ink, crop) => {
  const { left, top, width, height } = cropTo(ink, 1 / 6, PAGE)
  for (const [value, wanted] of [
    [left, crop.left],
    [top, crop.top],
    [width, crop.width],
    [height, crop.height],
  ] as const)
    expect(value).toBeCloseTo(wanted)
})
