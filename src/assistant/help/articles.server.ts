import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { marked, type MarkedToken, type Token } from 'marked'
import { selfRefundPromise } from '../../aftersale/refunds/selfRefund.rules.ts'
import type { ArticleSummary, Block, Words } from './help.contract.ts'

// Help articles are Markdown files with title, topic and keywords in their front matter.

const FOLDER = join(import.meta.dirname, 'articles')

export type WrittenArticle = ArticleSummary & {
  blocks: Block[]
  /** Search terms that the text does not contain. */
  keywords: string
  /** The plain text for the search. */
  text: string
  body: string
}

/** Marks of lines that only some shops show. */
const OF_ASSISTANT = '%ASSISTANT%'
const OF_OWN_SIGN_IN = '%OWN_SIGN_IN%'
const OF_OIDC = '%OIDC%'

export type ArticleSettings = {
  selfRefundDays: number
  keepSentWebhooksDays: number
  hasAssistant: boolean
  oidc: object | undefined
}

/** Reads all articles in the order of their files: '03-cart.md' is /help/cart. Fills in the settings of this shop. */
export function readArticles({
  selfRefundDays = 0,
  keepSentWebhooksDays = 30,
  hasAssistant = true,
  oidc,
}: Partial<ArticleSettings> = {}): WrittenArticle[] {
  const hidden = [oidc ? OF_OWN_SIGN_IN : OF_OIDC, ...(hasAssistant ? [] : [OF_ASSISTANT])]
  const read = (name: string) =>
    readFileSync(join(FOLDER, name), 'utf8')
      .split('\n')
      .filter((line) => !hidden.some((mark) => line.includes(mark)))
      .join('\n')
      .replaceAll(/%(?:ASSISTANT|OWN_SIGN_IN|OIDC)%/g, '')
      .replaceAll('%SELF_REFUND%', selfRefundPromise(selfRefundDays))
      .replaceAll('%KEEP_SENT_WEBHOOKS_DAYS%', String(keepSentWebhooksDays))
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => parseArticle(basename(name, '.md').replace(/^\d+-/, ''), read(name)))
}

/** Throws if the front matter is incomplete or the text uses unsupported Markdown. */
export function parseArticle(slug: string, file: string): WrittenArticle {
  const refuse = (why: string): never => {
    throw new Error(`help/${slug}: ${why}`)
  }
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? []
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(head)?.[1] ?? refuse(`no ${name}`)

  function blockOf(token: MarkedToken): Block[] {
    if (token.type === 'space') return []
    if (token.type === 'list')
      return [{ kind: 'list', isOrdered: token.ordered, items: token.items.map((item) => wordsOf(item.tokens)) }]
    if (token.type !== 'heading' && token.type !== 'paragraph') return refuse(`${token.type} is not supported`)
    return [{ kind: token.type, words: wordsOf(token.tokens) }]
  }

  function wordsOf(tokens: Token[]): Words[] {
    return (tokens as MarkedToken[]).flatMap((token): Words[] => {
      switch (token.type) {
        case 'text':
        case 'paragraph':
          return token.tokens ? wordsOf(token.tokens) : [{ text: oneLine(token.text) }]
        case 'escape':
          return [{ text: token.text }]
        case 'strong':
          return [{ text: oneLine(token.text), look: 'strong' }]
        case 'codespan':
          return [{ text: token.text, look: 'code' }]
        case 'link':
          if (!token.href.startsWith('/')) refuse(`links must stay inside the store, not ${token.href}`)
          return [{ text: oneLine(token.text), href: token.href }]
        default:
          return refuse(`${token.type} is not supported`)
      }
    })
  }

  const blocks = (marked.lexer(body) as MarkedToken[]).flatMap(blockOf)
  const [first] = blocks
  if (first?.kind !== 'paragraph') return refuse('it must begin with a paragraph')
  const texts = blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(plain) : plain(block.words)))
  return {
    slug,
    title: field('title'),
    topic: field('topic'),
    keywords: field('keywords'),
    summary: plain(first.words),
    blocks,
    text: texts.join(' '),
    body,
  }
}

const plain = (words: Words[]) => words.map(({ text }) => text).join('')
const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')
