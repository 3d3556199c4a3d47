import { createElement } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPage } from '../../test/page.ts'

let page: Awaited<ReturnType<typeof openPage>>
beforeEach(async () => {
  page = await openPage('/categories')
})
afterEach(() => page.close())

/** A page of a head and what stands below it, as the categories have them. */
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

test('a page that was left further down is drawn whole', async () => {
  page.sessionStorage.setItem('scroll', '{"/categories":900}')
  await drawPage()
  expect(page.names()).toEqual(['MAIN', 'H1', 'UL'])
})
