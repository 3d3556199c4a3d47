import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, register, test, untilStill, WIDE } from './shop.ts'

const checkAxe = async (page: Page) => {
  await untilStill(page)
  expect((await new AxeBuilder({ page }).disableRules(['meta-viewport']).analyze()).violations).toEqual([])
}

/** A silent recording, 8,000 bytes a second. */
function soundOf(seconds: number): Buffer {
  const data = Buffer.alloc(seconds * 8000, 0x80)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

type Part = { id: string; title: string; version: number }

/** Makes a course of the signed-in seller. Upper case titles are sections. */
async function makeCourse(page: Page, titles: string[]) {
  const { request } = page.context()
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin }
  const data = { title: `Bread ${crypto.randomUUID().slice(0, 8)}`, price: '5.00', categoryId: 'courses' }
  const { id } = (await (await request.post('/api/products', { data, headers })).json()) as { id: string }
  const path = `/api/products/${id}/course`
  for (const title of titles) {
    const isSection = title === title.toUpperCase()
    expect((await request.post(`${path}/parts`, { data: { isSection, title }, headers })).status()).toBe(201)
  }
  const parts = (await (await request.get(path)).json()) as Part[]
  const idOf = (title: string) => parts.find((part) => part.title === title)!.id
  return {
    ...{ id, title: data.title },
    async write(title: string, change: object) {
      const { version } = (await (await request.get(`${path}/parts/${idOf(title)}`)).json()) as Part
      const empty = { title, text: '', opensOn: null, opensAfterDays: null, isPreview: false, version }
      const saved = await request.put(`${path}/parts/${idOf(title)}`, { data: { ...empty, ...change }, headers })
      expect(saved.ok(), await saved.text()).toBe(true)
    },
    async attach(title: string, bytes: Buffer, name: string) {
      const { uploadURL } = (await (await request.post('/api/objects/upload', { data: {}, headers })).json()) as {
        uploadURL: string
      }
      const put = { data: bytes, headers: { ...headers, 'content-type': 'audio/wav', 'x-file-name': name } }
      expect((await request.put(uploadURL, put)).ok()).toBe(true)
      const added = await request.post(`${path}/parts/${idOf(title)}/files`, { data: { uploadURL }, headers })
      expect(added.ok(), await added.text()).toBe(true)
    },
  }
}

const titlesIn = (page: Page) => page.getByRole('region', { name: 'Lessons' }).locator('[data-row] strong')

test('a seller folds sections, moves them with their lessons, and sees how long a course takes', async ({ page }) => {
  await register(page, 'Sally')
  const course = await makeCourse(page, ['DOUGH', 'Flour', 'Water', 'OVEN', 'Heat'])
  await course.write('Flour', { text: 'x'.repeat(4000) })
  await course.attach('Heat', soundOf(150), 'heat.wav')
  await page.goto(`/my-products/${course.id}`)
  const lessons = page.getByRole('region', { name: 'Lessons' })
  await expect(titlesIn(page)).toHaveText(['DOUGH', 'Flour', 'Water', 'OVEN', 'Heat'])
  await expect(lessons.getByText('3 lessons, more than 4 min')).toBeVisible()

  // the browser of the seller measures a recording when its lesson is opened
  await lessons.getByRole('button', { name: 'Edit Heat' }).click()
  await page.getByRole('dialog', { name: 'Lesson' }).getByText('heat.wav').waitFor()
  await expect(page.getByText('3 lessons, 7 min')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(lessons.getByText('One file, 3 min')).toBeVisible()

  const dough = lessons.getByRole('button', { name: /^DOUGH/ })
  await expect(dough).toHaveAccessibleName(/^DOUGH\s+2 lessons, 4 min$/)
  await dough.click()
  await expect(dough).toHaveAttribute('aria-expanded', 'false')
  await expect(titlesIn(page)).toHaveText(['DOUGH', 'OVEN', 'Heat'])
  await checkAxe(page)
  const down = lessons.getByRole('button', { name: 'Move DOUGH down' })
  await down.click()
  await expect(titlesIn(page)).toHaveText(['OVEN', 'Heat', 'DOUGH'])
  await expect(down).toBeFocused()
  await expect(down).toHaveAttribute('aria-disabled', 'true')
  // a lesson that moves into a folded section unfolds it
  await lessons.getByRole('button', { name: 'Move Heat down' }).click()
  await expect(titlesIn(page)).toHaveText(['OVEN', 'DOUGH', 'Heat', 'Flour', 'Water'])
  await expect(dough).toHaveAttribute('aria-expanded', 'true')
  await page.reload()
  await expect(titlesIn(page)).toHaveText(['OVEN', 'DOUGH', 'Heat', 'Flour', 'Water'])
})

test('a seller drags lessons and sections with a pointer', { tag: WIDE }, async ({ page }) => {
  await register(page, 'Sally')
  const course = await makeCourse(page, ['DOUGH', 'Flour', 'Water', 'OVEN', 'Heat'])
  await page.goto(`/my-products/${course.id}`)
  const row = (title: string) => page.locator('[data-row]').filter({ hasText: title })
  const drag = async (title: string, over: string, part: 'top' | 'bottom') => {
    const { height } = (await row(over).boundingBox())!
    const targetPosition = { x: 120, y: part === 'top' ? 4 : height - 4 }
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/course/order'))
    await row(title).locator('[draggable=true]').dragTo(row(over), { targetPosition })
    expect((await saved).ok()).toBe(true)
  }
  await expect(titlesIn(page)).toHaveText(['DOUGH', 'Flour', 'Water', 'OVEN', 'Heat'])
  await drag('Water', 'Heat', 'bottom')
  await expect(titlesIn(page)).toHaveText(['DOUGH', 'Flour', 'OVEN', 'Heat', 'Water'])
  await drag('OVEN', 'Flour', 'top')
  await expect(titlesIn(page)).toHaveText(['OVEN', 'Heat', 'Water', 'DOUGH', 'Flour'])
  await expect(page.locator('[data-drop]')).toHaveCount(0)
  await page.reload()
  await expect(titlesIn(page)).toHaveText(['OVEN', 'Heat', 'Water', 'DOUGH', 'Flour'])
})

test('a seller sees the course as a learner, with text, sound and later lessons, and without a purchase', async ({
  page,
}) => {
  await register(page, 'Sally')
  const course = await makeCourse(page, ['DOUGH', 'Flour', 'Rest'])
  await course.write('Flour', { text: 'Weigh the **flour** twice.' })
  await course.attach('Flour', soundOf(30), 'flour.wav')
  await course.write('Rest', { text: 'Wait a week.', opensAfterDays: 7 })
  await page.goto(`/my-products/${course.id}`)
  await page.getByRole('link', { name: 'See as a learner' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Flour' })).toBeVisible()
  await expect(page.getByText('Weigh the flour twice.')).toBeVisible()
  const stored: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/api\/(learn|read)\//.test(request.url())) stored.push(request.url())
  })
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(async () => Number(await page.getByLabel('Position').inputValue())).toBeGreaterThan(0)
  await checkAxe(page)
  await page.getByRole('link', { name: 'Next lesson' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rest' })).toBeVisible()
  await expect(page.getByText(/^Opens on .*Until then, learners see only its title\.$/)).toBeVisible()
  await expect(page.getByText('Wait a week.')).toBeVisible()
  for (const name of [/^Mark as done/, /on this device$/])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expect(page.getByText('Certificate', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Edit the course' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${course.title}` })).toBeVisible()
  expect(stored).toEqual([])
})
