import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { createElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../../../test/page.ts'

vi.mock('./pdf.client.ts', () => ({ isIncomplete: () => false, readText: async () => '' }))

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage('/read/line')
  vi.stubGlobal('devicePixelRatio', 1)
  const { createElement: create } = page.document
  page.document.createElement = (name) => Object.assign(create(name), { getContext: () => ({ getImageData: blank }) })
})
afterEach(() => page.close())

const blank = (_: number, __: number, width: number, height: number) => ({
  ...{ width, height, data: new Uint8ClampedArray(width * height * 4) },
})

type Canvas = { width: number; height: number }

/** Pages that take long to draw. `drawn` lists each start, `cancelled` each end before time. */
function pdfOf(height: number, isSlow: boolean) {
  const [drawn, cancelled]: [[page: number, canvas: Canvas][], number[]] = [[], []]
  const open = (number: number) => ({
    getViewport: ({ scale }: { scale: number }) => ({ width: 300 * scale, height: height * scale }),
    cleanup: () => undefined,
    render({ canvas }: { canvas: Canvas }) {
      drawn.push([number, canvas])
      let end = (_: Error) => {}
      const promise = new Promise<void>((resolve, reject) => {
        end = reject
        if (!isSlow) resolve()
      })
      return { promise, cancel: () => void (cancelled.push(number), end(new Error('cancelled'))) }
    },
  })
  const pages = new Map<number, ReturnType<typeof open>>()
  const getPage = async (number: number) => {
    const found = pages.get(number) ?? open(number)
    pages.set(number, found)
    return found
  }
  return { pdf: { getPage } as unknown as PDFDocumentProxy, drawn, cancelled }
}

async function show(pdf: PDFDocumentProxy) {
  const { usePageDrawing } = await import('./usePageDrawing.ts')
  const sheet = { current: { replaceChildren: () => undefined } as unknown as HTMLElement }
  const Sheet = ({ number }: { number: number }) => {
    usePageDrawing(sheet, { pdf, page: number, width: 358, zoom: 1, isFitted: true })
    return createElement('p')
  }
  return (number: number) => page.draw(Sheet, { number })
}

test('does not draw pages that the reader skips fast', async () => {
  const { pdf, drawn } = pdfOf(400, false)
  const go = await show(pdf)
  for (const number of [1, 2, 3]) go(number)
  await page.rest()
  expect(drawn.map(([number]) => number)).toEqual([3, 3])
})

test('the search for the margins of a page ends when the page is left', async () => {
  const { pdf, drawn, cancelled } = pdfOf(400, true)
  const go = await show(pdf)
  go(1)
  await page.rest()
  expect(drawn.map(([number]) => number)).toEqual([1])
  go(2)
  await page.rest()
  expect(cancelled).toEqual([1])
})

test('a page that is a long strip is drawn once, on a canvas of limited size', async () => {
  const { pdf, drawn } = pdfOf(300_000, false)
  const go = await show(pdf)
  go(1)
  await page.rest()
  expect(drawn.map(([, { width, height }]) => width * height <= 16_000_000)).toEqual([true])
})
