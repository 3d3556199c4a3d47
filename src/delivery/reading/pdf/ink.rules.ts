export type Box = { left: number; top: number; width: number; height: number }

/** A picture with four bytes for each pixel: red, green, blue, opacity. */
export type Pixels = { data: ArrayLike<number>; width: number; height: number }

/** A smaller difference of a colour is noise of a scan or of a compressed picture. */
const MIN_DIFFERENCE = 40
/** Share of the page that stays around its text. */
const MARGIN = 0.02
/** A page is at least this share of its width wide, so that a short line does not fill the screen. */
const MIN_SHARE = 0.6

/** Finds the part of a page that differs from its background. Returns null for an empty page. */
export function findInk({ data, width, height }: Pixels): Box | null {
  const ground = backgroundOf({ data, width, height })
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      if ([0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (ground[part] ?? 0)) < MIN_DIFFERENCE)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** The median colour of the edge, because a page may have a tint or a picture that reaches one side. */
function backgroundOf({ data, width, height }: Pixels): number[] {
  const edge: number[] = []
  for (let x = 0; x < width; x++) edge.push(x, (height - 1) * width + x)
  for (let y = 0; y < height; y++) edge.push(y * width, y * width + width - 1)
  return [0, 1, 2].map((part) => {
    const values = edge.map((pixel) => data[pixel * 4 + part] ?? 0).toSorted((a, b) => a - b)
    return values[Math.floor(values.length / 2)] ?? 0
  })
}

/** Crops a page to its ink, with a small margin. `scale` are pixels of the picture for each unit of the page. */
export function cropTo(ink: Box | null, scale: number, page: { width: number; height: number }): Box {
  if (!ink) return { left: 0, top: 0, ...page }
  const margin = page.width * MARGIN
  const width = Math.min(page.width, Math.max(page.width * MIN_SHARE, ink.width / scale + 2 * margin))
  const centre = (ink.left + ink.width / 2) / scale
  const top = Math.max(0, ink.top / scale - margin)
  return {
    left: Math.min(page.width - width, Math.max(0, centre - width / 2)),
    top,
    width,
    height: Math.min(page.height, (ink.top + ink.height) / scale + margin) - top,
  }
}
