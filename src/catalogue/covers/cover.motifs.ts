import type { SVGProps } from 'react'
import { setTitle, widthOf } from './cover.lettering.ts'

/**
 * An SVG element as data, with React's attribute names. Classes: f0-f3 fill and s0-s3 stroke with an ink step, `dim`
 * fades, `big`, `mid` and `end` set type.
 */
export type Shape = {
  tag: 'g' | 'path' | 'rect' | 'circle' | 'text'
  children?: Shape[] | string
} & Pick<SVGProps<SVGElement>, 'className' | 'd' | 'strokeDasharray' | 'transform'> &
  Partial<Record<'x' | 'y' | 'width' | 'height' | 'rx' | 'cx' | 'cy' | 'r' | 'strokeWidth' | 'fontSize', number>>

/** The ground of a cover. `cover.css` and `inks` define its colours. */
export type Ink = 'deep' | 'bold' | 'tint' | 'paper'

type Motif = { hue: number; inks: [Ink, Ink, Ink]; draw: (dice: Dice, title: string) => Shape[] }

// The hues of the design tokens (--hue-*), because the server renders covers without a style sheet.
const motifs: Record<string, Motif> = {
  'gift-cards': { hue: 22, inks: ['deep', 'bold', 'tint'], draw: rosette },
  crypto: { hue: 72, inks: ['deep', 'paper', 'tint'], draw: ringCode },
  prepaid: { hue: 262, inks: ['paper', 'tint', 'deep'], draw: cards },
  ebooks: { hue: 152, inks: ['tint', 'paper', 'bold'], draw: book },
  courses: { hue: 205, inks: ['paper', 'deep', 'tint'], draw: routes },
  software: { hue: 300, inks: ['tint', 'deep', 'paper'], draw: codeWindow },
  audio: { hue: 345, inks: ['paper', 'deep', 'tint'], draw: recording },
}
const plainMotif: Motif = { hue: 235, inks: ['paper', 'tint', 'deep'], draw: mosaic }

export function motifOf(categoryId: string) {
  return (Object.hasOwn(motifs, categoryId) && motifs[categoryId]) || plainMotif
}

/** Gift card: a banknote's rosette of rotated ellipses, with the face value in large type. */
function rosette(dice: Dice, title: string): Shape[] {
  const turns = dice.pick([14, 18, 22])
  const [rx, ry, cx, cy] = [dice.between(84, 100), dice.between(26, 46), dice.between(190, 214), dice.between(104, 128)]
  const ring = (className: string, strokeWidth: number, rx: number, ry: number, turns: number) =>
    path(className, range(turns, (i) => ellipse(cx, cy, rx, ry, (180 * i) / turns)).join(''), strokeWidth)
  const value = valueIn(title)
  return [
    ring('s2 dim', 0.8, rx + 26, ry + 34, Math.round(turns * 0.7)),
    ring('s1', 1.1, rx, ry, turns),
    ring('s3', 1.2, rx * 0.42, ry * 0.42, Math.round(turns * 0.6)),
    value ? text('f2 big', 22, 74, value.length > 4 ? 42 : 58, value) : circle('f3', round(cx), round(cy), 9),
  ]
}

/** Draws a rotated ellipse as two half arcs. SVG scales its slightly short radii to meet the end points. */
function ellipse(cx: number, cy: number, rx: number, ry: number, degrees: number) {
  const [x, y] = [rx * Math.cos((degrees * Math.PI) / 180), rx * Math.sin((degrees * Math.PI) / 180)]
  const arc = `a${round(rx * 0.98)} ${round(ry * 0.98)} ${round(degrees)} 0 0 `
  return `M${round(cx - x)} ${round(cy - y)}${arc}${round(2 * x)} ${round(2 * y)}${arc}${round(-2 * x)} ${round(-2 * y)}`
}

/** Crypto: seven rings of broken arcs around a coin with its ticker. */
function ringCode(dice: Dice, title: string): Shape[] {
  const rings = range(7, (i): Shape => {
    const r = 42 + i * 11.5
    const arcs = dice.whole(4, 9)
    const share = (2 * Math.PI * r) / arcs
    const dashes = range(
      arcs,
      () => `${round(share * dice.between(0.35, 0.9))} ${round(share * dice.between(0.12, 0.5))}`,
    )
    return {
      ...circle(dice.pick(['s1', 's1', 's1 dim', 's3', 's2']), 160, 120, r),
      strokeWidth: 6.5,
      strokeDasharray: dashes.join(' '),
      transform: `rotate(${dice.whole(0, 359)} 160 120)`,
    }
  })
  const ticker = /\b(BTC|ETH|USDC|SOL|LTC)\b/.exec(title)?.[0]
  return [
    ...rings,
    circle('f1', 160, 120, 31),
    ticker
      ? text('f0 mid', 160, 126, ticker.length > 3 ? 16 : 20, ticker)
      : path('f0', 'M149 109h22v7h-22zM149 124h22v7h-22z'),
  ]
}

/** Prepaid: two tilted cards; waves, chip, contactless mark and value on the front one. */
function cards(dice: Dice, title: string): Shape[] {
  const tilt = dice.between(-13, -6)
  const back = tilt + dice.between(12, 20)
  const [swing, phase, half] = [dice.between(9, 17), dice.between(0, 6), 216 / dice.pick([4, 5, 6])]
  const card = (className: string) => rect(className, 52, 52, 216, 136, 15)
  // The waves flatten towards the edges, so they need no clip path, whose id could collide.
  const waves = range(11, (i) => {
    const depth = swing * Math.sin(i * 0.5 + phase) * Math.sin((Math.PI * (i + 0.6)) / 11.2)
    return `M52 ${69 + i * 10.2}q${round(half / 2)} ${round(-2 * depth)} ${round(half)} 0${`t${round(half)} 0`.repeat(216 / half - 1)}`
  })
  const value = valueIn(title)
  const print: Shape[] = [
    card('f1'),
    path('s0 dim', waves.join(''), 1.3),
    rect('f2', 72, 92, 36, 27, 6),
    path('s1', 'M72 101h12v-9M72 110h12v9M108 101H96v-9M108 110H96v9', 1.4),
    path('s0', 'M119 98q6 7.5 0 15M126 94q10 11.5 0 23', 2.6),
  ]
  if (value) print.push(text('f0 end', 250, 172, 30, value))
  return [
    { ...card('f3'), transform: `rotate(${round(back)} 160 120) translate(10 -8)` },
    { tag: 'g', transform: `rotate(${round(tilt)} 160 120)`, children: print },
  ]
}

function book(dice: Dice, title: string): Shape[] {
  const lines = setTitle(title)
  const widest = Math.max(...lines.map(widthOf), 1)
  const fontSize = round(Math.min(16, 160 / widest, 54 / lines.length))
  return [
    rect('f3 dim', 107, 29, 134, 196, 5),
    rect('f1', 98, 22, 134, 196, 4),
    ...tiles(dice, 115, 101, 37, 3, 3),
    rect('f0 dim', 106, 22, 3, 196),
    ...lines.map((line, i) => text('f0', 116, round(31 + fontSize * (0.9 + i * 1.12)), fontSize, line)),
  ]
}

/** Draws quarter circles, dots and bars on a grid, with one path per colour. */
function tiles(dice: Dice, left: number, top: number, s: number, columns: number, rows: number): Shape[] {
  const paths: Record<string, string> = { f2: '', f3: '', f0: '' }
  for (let i = 0; i < columns * rows; i++) {
    const [x, y] = [left + (i % columns) * s, top + Math.floor(i / columns) * s]
    const quarter = `a${s} ${s} 0 0 1`
    paths[dice.pick(['f2', 'f3', 'f2', 'f3', 'f0'])] += dice.pick([
      `M${x} ${y}h${s}${quarter}-${s} ${s}z`,
      `M${x + s} ${y}v${s}${quarter}-${s}-${s}z`,
      `M${x + s} ${y + s}h-${s}${quarter} ${s}-${s}z`,
      `M${x} ${y + s}v-${s}${quarter} ${s} ${s}z`,
      `M${x + s * 0.2} ${y + s / 2}a${s * 0.3} ${s * 0.3} 0 0 1 ${s * 0.6} 0a${s * 0.3} ${s * 0.3} 0 0 1-${s * 0.6} 0z`,
      `M${x} ${y}h${s}v${s / 2}h-${s}z`,
    ])
  }
  return Object.entries(paths).map(([className, d]) => path(className, d))
}

/** Course: three routes with stops on five levels. They cross at bends and never overlap. */
function routes(dice: Dice): Shape[] {
  let levels = [0, 2, 4]
  const lines = levels.map((level) => ({ d: `M-30 ${levelAt(level)}`, stops: ['', ''] }))
  for (let [x, stop] = [-30, dice.whole(0, 1)]; x < 340; stop++) {
    const run = dice.pick([40, 60, 80])
    const next = dice.pick(bends(levels))
    for (const [i, line] of lines.entries()) {
      const middle = x + run / 2
      if (middle > 24 && middle < 296) line.stops[(stop + i) % 2] += `M${middle} ${levelAt(levels[i]!)}h0`
      line.d += `h${run}l40 ${(next[i]! - levels[i]!) * 40}`
    }
    levels = next
    x += run + 40
  }
  return lines.flatMap(({ d, stops: [large, small] }, i): Shape[] => {
    const route = ['s2', 's3', 's1'][i]
    return [path('s0', d, 17), path(route, d, 11), path(route, large, 22), path('s0', large, 12), path('s0', small, 6)]
  })
}

const levelAt = (level: number) => 36 + level * 40

/** Finds all next positions: each route moves at most one level, at least two move, and none collide. */
function bends(levels: number[]) {
  return range(27, (turn) => levels.map((level, i) => level + (Math.floor(turn / 3 ** i) % 3) - 1)).filter(
    (next) =>
      new Set(next).size === 3 &&
      next.every((level) => level >= 0 && level <= 4) &&
      next.filter((level, i) => level !== levels[i]).length > 1,
  )
}

function codeWindow(dice: Dice): Shape[] {
  const pills: Record<string, string> = { s2: '', 's0 dim': '', s3: '' }
  let indent = 0
  let cursor = ''
  for (let row = 0; row < 8; row++) {
    let x = 66 + indent * 17
    const y = 71 + row * 15.5
    for (let i = row === 0 ? 2 : dice.whole(1, 3); i > 0; i--) {
      const length = dice.pick([10, 18, 30, 44, 58])
      if (x + length > 250) break
      pills[dice.pick(['s2', 's0 dim', 's3', 's0 dim'])] += `M${x} ${y}h${length}`
      x += length + 15
    }
    if (row === 5) cursor = `M${x - 4} ${y - 7}h7v14h-7z`
    indent = Math.max(0, Math.min(4, indent + dice.pick([-1, 0, 1, 1])))
  }
  return [
    rect('f3 dim', dice.pick([54, 60]), dice.pick([20, 40]), 232, 168, 14),
    rect('f1', 44, 30, 232, 168, 14),
    path('s0 dim', 'M62 47h0M76 47h0M90 47h0', 8),
    ...Object.entries(pills).map(([className, d]) => path(className, d, 7.5)),
    path('f0', cursor),
  ]
}

/** Audio: bars in a row, bars around a disc, or strings that swing. */
function recording(dice: Dice): Shape[] {
  return dice.pick([row, record, strings])(dice)
}

/** Returns the loudness at a place, 0 to 1: two waves. */
function soundOf(dice: Dice) {
  const [slow, fast, phase] = [dice.between(0.18, 0.4), dice.between(0.5, 0.9), dice.between(0, 6)]
  return (i: number) => Math.abs(Math.sin(i * slow + phase) * 0.6 + Math.sin(i * fast + phase * 2) * 0.4)
}

/** Bars under an envelope. Inside a disc they change colour. */
function row(dice: Dice): Shape[] {
  const loudness = soundOf(dice)
  const [cx, r] = [dice.between(96, 224), dice.between(58, 82)]
  let [outside, inside] = ['', '']
  for (let i = 0; i < 31; i++) {
    const x = 10 + i * 10
    const half = 5 + 84 * (0.35 + 0.65 * Math.sin((Math.PI * (i + 1)) / 32)) * (0.08 + 0.92 * loudness(i))
    outside += bar(x, half)
    const chord = Math.sqrt(Math.max(0, r * r - (x - cx) ** 2)) - 3
    if (chord > 0) inside += bar(x, Math.min(half, chord))
  }
  return [path('s1', outside, 5), circle('f3', round(cx), 120, round(r)), path('s2', inside, 5)]
}

/** Bars around a disc with a hole. */
function record(dice: Dice): Shape[] {
  const loudness = soundOf(dice)
  const [cx, r] = [dice.between(120, 200), dice.between(34, 46)]
  const bars = range(48, (i) => {
    const [x, y] = [Math.cos((Math.PI * i) / 24), Math.sin((Math.PI * i) / 24)]
    const [from, length] = [r + 9, 4 + 46 * loudness(i)]
    return `M${round(cx + from * x)} ${round(114 + from * y)}l${round(length * x)} ${round(length * y)}`
  })
  return [path('s1', bars.join(''), 4.5), circle('f3', round(cx), 114, round(r)), circle('f2', round(cx), 114, 9)]
}

/** Seven strings. Each swings in its own number of half waves. */
function strings(dice: Dice): Shape[] {
  const lines = range(7, (i) => {
    const halves = dice.whole(1, 5)
    const [run, height] = [round(296 / halves), dice.between(14, 44)]
    const waves = range(halves, (half) => `q${round(run / 2)} ${round(half % 2 ? height : -height)} ${run} 0`)
    return `M12 ${28 + i * 26}${waves.join('')}`
  })
  const chosen = dice.whole(1, 5)
  return [
    path('s1', lines.filter((_, i) => i !== chosen).join(''), 3.5),
    path('s3', lines[chosen], 7),
    ...range(7, (i) => circle('f2', 12, 28 + i * 26, 4)),
  ]
}

const bar = (x: number, half: number) => `M${x} ${round(120 - half)}v${round(2 * half)}`

function mosaic(dice: Dice): Shape[] {
  return [rect('f1', 34, 22, 252, 184, 10), ...tiles(dice, 44, 30, 58, 4, 3)]
}

export const path = (className: string | undefined, d: string | undefined, strokeWidth?: number): Shape => {
  return { tag: 'path', className, d, strokeWidth }
}
const circle = (className: string, cx: number, cy: number, r: number): Shape => ({
  tag: 'circle',
  className,
  cx,
  cy,
  r,
})
const rect = (className: string, x: number, y: number, width: number, height: number, rx?: number): Shape => {
  return { tag: 'rect', className, x, y, width, height, rx }
}
const text = (className: string, x: number, y: number, fontSize: number, children: string): Shape => {
  return { tag: 'text', className, x, y, fontSize, children }
}

const round = (value: number) => Math.round(value * 10) / 10
export const range = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const valueIn = (title: string) => /\$\d{1,4}(?!\d|,\d)(?:\.\d\d)?/.exec(title)?.[0].replace(/\.00$/, '')

type Dice = ReturnType<typeof diceOf>

/** Generates repeatable random numbers (xorshift32). */
export function diceOf(seed: number) {
  let state = seed || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
  for (let i = 0; i < 4; i++) next()
  return {
    between: (low: number, high: number) => low + (high - low) * next(),
    whole: (low: number, high: number) => Math.floor(low + (high - low + 1) * next()),
    pick: <T>(choices: T[]) => choices[Math.floor(next() * choices.length)]!,
  }
}
