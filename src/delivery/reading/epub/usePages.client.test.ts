import { createElement, type RefObject } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../../test/page.ts'
import type { Pages } from './usePages.ts'

const [WIDTH, GAP, WINDOW] = [350, 40, 800]
const LOOK = { paper: null, font: 'book', margin: 'normal', size: 1 } as never

/** A text that flows in columns on a phone, and scrolls with the window on a wide screen. */
class FakeText extends EventTarget {
  pages = 1
  height = 5000
  left = 0
  isPaged = true
  get scrollWidth() {
    return this.pages * (WIDTH + GAP) - GAP
  }
  get scrollLeft() {
    return this.left
  }
  set scrollLeft(left: number) {
    this.left = Math.min(left, this.scrollWidth - WIDTH)
  }
  get page() {
    return this.left / (WIDTH + GAP)
  }
  getBoundingClientRect() {
    return { top: -window.scrollY, height: this.height, width: WIDTH }
  }
  scrollIntoView() {
    vi.stubGlobal('scrollY', 0)
  }
  animate() {}
  /** Pictures that load, another font or another screen make other pages. */
  lay(pages: number) {
    this.pages = pages
    this.dispatchEvent(new Event('load'))
  }
}

let page: Awaited<ReturnType<typeof openPage>>
let text: FakeText
const onMove = vi.fn<(move: { share: number; progress: number; isByReader: boolean }) => void>()
const lastMove = () => onMove.mock.lastCall?.[0]

beforeEach(async () => {
  page = await openPage('/read/line')
  text = new FakeText()
  onMove.mockReset()
  vi.stubGlobal('innerHeight', WINDOW)
  vi.stubGlobal('scrollTo', (_: number, y: number) => vi.stubGlobal('scrollY', Math.round(y)))
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vi.stubGlobal('getComputedStyle', (element: FakeText) => ({
    ...{ columnWidth: element.isPaged ? `${WIDTH}px` : 'auto', columnGap: `${GAP}px`, direction: 'ltr' },
  }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => page.close())

/** Opens the text. `renders` counts how often the component renders. */
async function openText(share: number) {
  const { usePages } = await import('./usePages.ts')
  const start = { share, fragment: '' }
  const found = { renders: 0, turn: (() => false) as Pages['turn'], position: null as Pages['position'] | null }
  page.draw(() => {
    found.renders++
    Object.assign(
      found,
      usePages({ current: text } as unknown as RefObject<HTMLElement>, { start, look: LOOK, onMove }),
    )
    return createElement('p')
  }, {})
  await page.rest()
  return found
}

const scroll = (target: unknown) => {
  const event = new Event('scroll')
  Object.defineProperty(event, 'target', { value: target })
  page.dispatchEvent(event)
}

test('a chapter whose pictures load later opens at its first page, and a single page counts as read', async () => {
  await openText(0)
  expect(lastMove()).toEqual({ share: 0, progress: 1, isByReader: false })
  text.lay(6)
  expect(text.page).toBe(0)
  expect(lastMove()).toEqual({ share: 0, progress: 0, isByReader: false })
})

test.each([
  ['5 pages', 0.437, [5], 50],
  ['one page', 0.437, [1], 50],
  ['larger and smaller text', 0.437, [60, 70, 80, 90, 80, 70, 60], 50],
  ['the last page', 1, [1, 3], 9],
])('the place survives each layout: %s', async (_, share, counts, last) => {
  text.pages = counts[0] ?? 1
  await openText(share)
  for (const count of [...counts, last]) text.lay(count)
  expect(text.page).toBe(Math.round(share * (last - 1)))
  expect(lastMove()?.share).toBe(share)
})

test('turning a page moves the place to the new page', async () => {
  text.pages = 11
  const { turn, position } = await openText(0)
  expect(turn(1)).toBe(true)
  expect(lastMove()).toEqual({ share: 0.1, progress: 0.1, isByReader: true })
  expect(position?.read()).toEqual({ progress: 0.1, page: 1, pagesLeft: 9 })
  text.lay(21)
  expect(text.page).toBe(2)
})

test('the search of the browser moves the place, but opening a text at a later page does not', async () => {
  text.pages = 11
  await openText(0.3)
  expect(text.page).toBe(3)
  scroll(text)
  expect(onMove.mock.calls.filter(([{ isByReader }]) => isByReader)).toEqual([])
  text.scrollLeft = 7 * (WIDTH + GAP) + 90
  scroll(text)
  expect(text.page).toBe(7)
  expect(lastMove()).toEqual({ share: 0.7, progress: 0.7, isByReader: true })
})

test('scrolling a long chapter renders nothing, and opening it does not move the place', async () => {
  text.isPaged = false
  const found = await openText(0.5)
  const { renders } = found
  expect(window.scrollY).toBe(2100)
  scroll(document)
  expect(lastMove()?.isByReader).toBe(false)
  for (let i = 1; i <= 20; i++) {
    vi.stubGlobal('scrollY', 2100 + i * 50)
    scroll(document)
  }
  await page.rest()
  expect(lastMove()).toEqual({ share: 0.7, progress: 0.7, isByReader: true })
  expect(found.renders).toBe(renders)
})

test('a picture that loads does not move a text that the reader scrolled', async () => {
  text.isPaged = false
  await openText(0.5)
  text.height = 6000
  text.lay(1)
  expect(window.scrollY).toBe(2600)
  vi.stubGlobal('scrollY', 300)
  scroll(document)
  text.height = 7000
  text.lay(1)
  expect(window.scrollY).toBe(300)
})
