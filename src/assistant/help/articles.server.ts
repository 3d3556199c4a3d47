import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import type { ArticleSummary, Block, Words } from './help.contract.ts'

// Help articles are Markdown files with title, topic and keywords in their front matter.

const FOLDER = join(import.meta.dirname, 'articles')

export type WrittenArticle = ArticleSummary & {
  blocks: Block[]
  /** Search terms that the text does not contain. */
  keywords: string
  /** The plain text, for the search. */
  text: string
}

/** All articles in the order of their files: '03-cart.md' is /help/cart. */
export function readArticles(): WrittenArticle[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => parseArticle(basename(name, '.md').replace(/^\d+-/, ''), readFileSync(join(FOLDER, name), 'utf8')))
}

/** Throws if the front matter is incomplete or the text uses unsupported Markdown. */
export function parseArticle(slug: string, file: string): WrittenArticle {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? []
  const fields = new Map(
    head?.split('\n').map((line): [string, string] => {
      const [name = '', ...rest] = line.split(':')
      return [name.trim(), rest.join(':').trim()]
    }),
  )
  const field = (name: string) => {
    const value = fields.get(name)
    if (!value) throw new Error(`help/${slug}: no ${name}`)
    return value
  }
  const blocks = marked.lexer(body ?? '').flatMap((token) => blockOf(slug, token))
  const [first] = blocks
  if (first?.kind !== 'paragraph') throw new Error(`help/${slug}: it must begin with a paragraph`)
  return {
    slug,
    title: field('title'),
    topic: field('topic'),
    keywords: field('keywords'),
    summary: plain(first.words),
    blocks,
    text: blocks
      .map((block) => (block.kind === 'list' ? block.items.map(plain).join(' ') : plain(block.words)))
      .join(' '),
  }
}

const plain = (words: Words[]) => words.map(({ text }) => text).join('')

function blockOf(slug: string, token: Token): Block[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return [{ kind: 'heading', words: wordsOf(slug, (token as Tokens.Heading).tokens) }]
    case 'paragraph':
      return [{ kind: 'paragraph', words: wordsOf(slug, (token as Tokens.Paragraph).tokens) }]
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return [{ kind: 'list', isOrdered: ordered, items: items.map((item) => wordsOf(slug, item.tokens)) }]
    }
    default:
      throw new Error(`help/${slug}: ${token.type} is not supported`)
  }
}

function wordsOf(slug: string, tokens: Token[]): Words[] {
  return tokens.flatMap((token): Words[] => {
    switch (token.type) {
      case 'text': {
        const { tokens: inner, text } = token as Tokens.Text
        return inner ? wordsOf(slug, inner) : [{ text: oneLine(text) }]
      }
      case 'paragraph':
        return wordsOf(slug, (token as Tokens.Paragraph).tokens)
      case 'escape':
        return [{ text: (token as Tokens.Escape).text }]
      case 'strong':
        return [{ text: oneLine((token as Tokens.Strong).text), look: 'strong' }]
      case 'codespan':
        return [{ text: (token as Tokens.Codespan).text, look: 'code' }]
      case 'link': {
        const { text, href } = token as Tokens.Link
        if (!href.startsWith('/')) throw new Error(`help/${slug}: links must stay inside the store, not ${href}`)
        return [{ text: oneLine(text), href }]
      }
      default:
        throw new Error(`help/${slug}: ${token.type} is not supported`)
    }
  })
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')
