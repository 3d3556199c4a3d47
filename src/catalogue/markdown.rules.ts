// The Markdown of descriptions: headings, lists, bold, italic and web links. Everything else stays plain text. Length
// limits bound the work for any text.

export type Words = { text: string; look?: 'strong' | 'em'; href?: string }
export type Block =
  | { kind: 'heading'; words: Words[] }
  | { kind: 'paragraph'; words: Words[] }
  | { kind: 'list'; isOrdered: boolean; items: Words[][] }

const HEADING = /^#{1,4} +(\S.*)$/
const ITEM = /^ {0,3}(?:([-*])|\d{1,3}\.) +(\S.*)$/
const MARKS =
  /\*\*(?=\S)([^*\n]{1,500})(?<=\S)\*\*|(?<![\w*])\*(?=\S)([^*\n]{1,500})(?<=\S)\*(?![\w*])|\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>]{1,1000})\)/g

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const [, heading] = HEADING.exec(line) ?? []
    const [item, bullet, rest = ''] = ITEM.exec(line) ?? []
    if (heading) blocks.push({ kind: 'heading', words: readWords(heading) })
    else if (item) {
      const isOrdered = bullet === undefined
      if (isOpen && last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(readWords(rest))
      else blocks.push({ kind: 'list', isOrdered, items: [readWords(rest)] })
    } else if (line.trim() !== '') {
      if (isOpen && last?.kind === 'paragraph') last.words.push({ text: '\n' }, ...readWords(line))
      else blocks.push({ kind: 'paragraph', words: readWords(line) })
    }
    isOpen = line.trim() !== ''
  }
  return blocks
}

function readWords(line: string): Words[] {
  const words: Words[] = []
  let at = 0
  for (const { index, 0: whole, 1: strong, 2: em, 3: label, 4: href } of line.matchAll(MARKS)) {
    if (index > at) words.push({ text: line.slice(at, index) })
    if (strong) words.push({ text: strong, look: 'strong' })
    else if (em) words.push({ text: em, look: 'em' })
    else words.push({ text: label!, href: href! })
    at = index + whole.length
  }
  if (at < line.length) words.push({ text: line.slice(at) })
  return words
}

export const plainOf = (text: string): string =>
  readMarkdown(text)
    .flatMap((block) => (block.kind === 'list' ? block.items : [block.words]))
    .map((words) => words.map((one) => one.text).join(''))
    .join('\n')
