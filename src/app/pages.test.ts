import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Page } from '../kit/handle.server.ts'
import { createPages } from './pages.server.ts'

test.each([
  [7, '7'],
  [5000, '5000'],
])('a shop that delivers files of up to %i MB says so in its pages', async (mb, stated) => {
  const distDir = mkdtempSync(join(tmpdir(), 'primo-pages-'))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  writeFileSync(join(distDir, 'index.html'), '<html data-store-name="%STORE_NAME%" data-max-file-mb="%MAX_FILE_MB%">')
  const answerPage = createPages({
    distDir,
    storeName: 'Primo',
    maxFileBytes: mb * 1024 * 1024,
    bonus: null,
    isTls: false,
    payment: { scripts: [], connects: [], frames: [] },
  })
  const user = { id: crypto.randomUUID(), email: 'a@test.example', isAdmin: false }
  const { body } = await answerPage({ url: '/', user, header: () => undefined } as unknown as Page)
  expect(String(body)).toBe(`<html data-store-name="Primo" data-max-file-mb="${stated}">`)
})

test.each([
  [
    { title: '15% bonus', rule: 'Up to $15, <sic>.' },
    '<div class="secure"><b>15% bonus</b>Up to $15, &lt;sic&gt;.</div>',
  ],
  [null, ''],
])('the landing page promises a bonus with its rule, or none: %j', async (bonus, shown) => {
  const distDir = mkdtempSync(join(tmpdir(), 'primo-pages-'))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  const promise = '<div class="secure"><b>%BONUS_TITLE%</b>%BONUS_RULE%</div>'
  writeFileSync(join(distDir, 'landing.html'), `<div class="secure">kept</div>${promise}<p>end</p>`)
  const answerPage = createPages({
    distDir,
    storeName: 'Primo',
    maxFileBytes: 1,
    bonus,
    isTls: false,
    payment: { scripts: [], connects: [], frames: [] },
  })
  const { body } = await answerPage({ url: '/', user: null, header: () => undefined } as unknown as Page)
  expect(String(body)).toBe(`<div class="secure">kept</div>${shown}<p>end</p>`)
})
