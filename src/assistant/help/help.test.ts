import { expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import { isPagePath } from '../../app/shell/paths.ts'
import { parseArticle, readArticles } from './articles.server.ts'
import { getHelpArticle, listHelp } from './help.contract.ts'
import { openHelp } from './help.server.ts'

const open = openShopForTests()
const articles = readArticles()
const help = openHelp(articles)

test('has at least twelve articles with unique addresses', async () => {
  const member = await open.shop.join()
  const all = await member.call(listHelp, {})
  expect(all.length).toBeGreaterThanOrEqual(12)
  expect(new Set(all.map(({ slug }) => slug)).size).toBe(all.length)
  for (const { slug, title } of all) expect((await member.call(getHelpArticle, { slug })).title).toBe(title)
  await expect(member.call(getHelpArticle, { slug: 'no-such-thing' })).rejects.toMatchObject({ status: 404 })
  await expect(member.call(getHelpArticle, { slug: '../../package' })).rejects.toMatchObject({ status: 404 })
})

test.each(articles)('links only existing pages from "$title"', ({ blocks }) => {
  const words = blocks.flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.words))
  for (const { href } of words) {
    if (href === undefined) continue
    expect(isPagePath(href.split('?')[0]!), href).toBe(true)
    if (href.startsWith('/help/')) expect(() => help.article(href.slice('/help/'.length))).not.toThrow()
  }
})

test.each([
  ['How do I get my money back?', 'refunds'],
  ['REFUNDED', 'refunds'],
  ['dowload', 'downloads'],
  ['my gift card code was already used', 'codes'],
  ['I forgot my password', 'signing-in'],
  ['can I talk to a human', 'contact'],
  ['where is my order', 'orders'],
  ['the file is too large', 'files-for-sale'],
])('finds for %j the article %s', (question, slug) => {
  expect(help.find(question)[0]?.slug).toBe(slug)
})

test('lists the best help article first and none for nonsense', async () => {
  const member = await open.shop.join()
  expect((await member.call(listHelp, { q: 'download' }))[0]?.slug).toBe('downloads')
  expect(await member.call(listHelp, { q: 'xyzzyplugh' })).toEqual([])
  expect(await member.call(listHelp, { q: '  ' })).toHaveLength(articles.length)
  await expect(member.call(listHelp, { q: 'x'.repeat(201) })).rejects.toMatchObject({ status: 400 })
})

const head = '---\ntitle: T\ntopic: A\nkeywords: k\n---\n\n'
test.each([
  ['no front matter', 'Just words'],
  ['no topic', '---\ntitle: T\nkeywords: k\n---\n\nWords'],
  ['HTML', `${head}Words\n\n<script>alert(1)</script>`],
  ['an external link', `${head}See [this](https://evil.example)`],
  ['a picture', `${head}![x](/x.png)`],
  ['a heading before any words', `${head}## First`],
])('rejects an article with %s', (_, file) => expect(() => parseArticle('x', file)).toThrow('help/x'))

test('describes the assistant only if the shop has one, and fills in the settings of the shop', () => {
  const bodyOf = (told: Parameters<typeof readArticles>[0], slug: string) => openHelp(readArticles(told)).bodyOf(slug)!
  expect(bodyOf({}, 'contact')).toContain('The robot icon marks the assistant')
  expect(bodyOf({ hasAssistant: false }, 'contact')).not.toMatch(/assistant|Talk to a person/)
  expect(bodyOf({ keepSentWebhooksDays: 7 }, 'webhooks')).toContain('for 7 days')
  const oidc = { issuer: 'https://id.example' }
  for (const slug of ['account', 'signing-in']) {
    expect(bodyOf({}, slug)).toMatch(/open the link|follow the link/)
    expect(bodyOf({}, slug)).not.toContain('your sign-in service')
    expect(bodyOf({ oidc }, slug)).not.toMatch(/Email me a link|we send you/)
    expect(bodyOf({ oidc }, slug)).toContain('your sign-in service')
  }
  for (const { body } of articles) expect(body).not.toMatch(/%[A-Z_]+%/)
})
