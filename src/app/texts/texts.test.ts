import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHelp } from '../../assistant/help/help.server.ts'
import { openToolbox } from '../../assistant/model/toolbox.server.ts'
import { escapeHtml } from '../../kit/html.server.ts'
import { createTexts } from './texts.server.ts'

const help = openHelp()
const told = {
  ...{ sellersSeeEmail: false, selfRefundDays: 14 },
  ...{ keepMailsDays: 91, keepErrorsDays: 31, keepRiskDays: 401 },
}
const look = { storeName: 'Ada & Sons', isTls: false }
const textAt = (path: string, { isMember = false, folder }: { isMember?: boolean; folder?: string } = {}) =>
  String(createTexts({ help, folder, look, told })(path, isMember)?.body ?? '')

test('shows terms, privacy and refunds to everyone, and every help article to visitors', () => {
  for (const isMember of [true, false]) {
    expect(textAt('/terms', { isMember })).toContain('the rules of Ada &amp; Sons')
    expect(textAt('/privacy', { isMember })).toContain('What we store')
    expect(textAt('/refunds', { isMember })).toContain('when Ada &amp; Sons gives money back')
  }
  for (const { slug, title } of help.all()) {
    expect(textAt('/help')).toContain(`href="/help/${slug}"`)
    expect(textAt(`/help/${slug}`)).toContain(`<h1>${escapeHtml(title)}</h1>`)
    expect(textAt(`/help/${slug}`, { isMember: true })).toBe('')
  }
  expect(textAt('/help/nothing')).toBe('')
  // Grouped by topic, each topic once.
  const topics = [...new Set(help.all().map(({ topic }) => topic))]
  expect([...textAt('/help').matchAll(/<h2>(.+?)<\/h2>/g)].map(([, topic]) => topic)).toEqual(topics)
  expect(textAt('/help')).toMatch(/<h2>Selling<\/h2>\s*<ul>\s*<li><a href="\/help\/selling">/)
})

test('lists the retention times of this shop on the legal pages', () => {
  const text = textAt('/privacy')
  for (const days of [91, 31, 401]) expect(text).toContain(`${days} days`)
  for (const path of ['/terms', '/privacy', '/refunds']) expect(textAt(path)).not.toMatch(/%[A-Z_]+%/)
})

/** The data that each tool of the language model returns, in the words of the privacy page. */
const TOLD: Record<string, string> = {
  search_products: 'products',
  my_orders: 'your orders with the last eight characters of their numbers',
  my_library: 'the titles in your library',
  my_credit: 'your store credit, and the sum that you have spent',
  help: 'help articles',
}

test('the privacy page says when sellers see an email address', () => {
  const privacy = (sellersSeeEmail: boolean) =>
    String(createTexts({ help, folder: undefined, look, told: { ...told, sellersSeeEmail } })('/privacy', false)?.body)
  expect(privacy(true)).toContain('your email address if you turned on news and offers')
  expect(privacy(false)).toContain('not your email address')
  for (const isSeen of [true, false])
    expect(privacy(isSeen)).toContain('how often and when you, or a person who got it')
})

test('the privacy page lists the data that each tool of the language model returns', () => {
  const unused = { pool: null as never, mind: null as never }
  const { tools } = openToolbox({ ...unused, userId: '' })
  expect(Object.keys(tools).sort()).toEqual(Object.keys(TOLD).sort())
  for (const words of Object.values(TOLD)) expect(textAt('/privacy')).toContain(words)
})

test('shows the operator’s own texts instead of the defaults', () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'terms.md'), 'Be *kind*.')
  expect(textAt('/terms', { folder })).toContain('Be <em>kind</em>.')
  writeFileSync(join(folder, 'refunds.md'), '<b>Always.</b>')
  expect(textAt('/refunds', { folder })).toContain('<b>Always.</b>')
  expect(textAt('/privacy', { folder })).toContain('What we store')
})
