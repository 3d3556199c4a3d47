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
    isTls: false,
    payment: { scripts: [], connects: [], frames: [] },
  })
  const user = { id: crypto.randomUUID(), email: 'a@test.example', isAdmin: false }
  const { body } = await answerPage({ url: '/', user, header: () => undefined } as unknown as Page)
  expect(String(body)).toBe(`<html data-store-name="Primo" data-max-file-mb="${stated}">`)
})
