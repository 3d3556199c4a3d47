import { createElement } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPage } from '../../test/page.ts'

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage('/categories')
})
afterEach(() => page.close())

/** Draws a page with a heading and a list in `Later`. */
async function drawPage() {
  const { Later } = await import('./Later.tsx')
  const below = createElement(Later, null, createElement('ul'))
  page.draw(() => createElement('main', null, createElement('h1'), below), {})
}

test('the head of a page is drawn first, and the rest right after it', async () => {
  await drawPage()
  expect(page.names()).toEqual(['MAIN', 'H1'])
  await expect.poll(page.names).toEqual(['MAIN', 'H1', 'UL'])
})

test('draws the whole page at once if the member left it scrolled down', async () => {
  page.sessionStorage.setItem('scroll', '{"/categories":900}')
  await drawPage()
  expect(page.names()).toEqual(['MAIN', 'H1', 'UL'])
})
