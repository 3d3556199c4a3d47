import { inflateSync } from 'node:zlib'

// Checks the rules of PDF/UA-1 that a program can check, in documents of our own library: marks, structure tree,
// tables, fonts and metadata. Reads only plain cross-reference tables and Flate streams, no other documents.

type Value = string | number | boolean | null | Text | Ref | Value[] | Dict
type Text = { text: string }
type Ref = { ref: number }
type Dict = Map<string, Value>
type Stream = { dict: Dict; bytes: Buffer }

/** Returns the problems of a document, its text in reading order, and the tags of its structure tree: 'Document/H1'. */
export function readTaggedPdf(bytes: Buffer): { problems: string[]; text: string[]; tags: string[] } {
  const problems: string[] = []
  const need = (isRight: boolean, problem: string) => void (isRight || problems.push(problem))
  const file = openFile(bytes)
  const { at, dictOf, listOf, streamOf } = file
  const root = dictOf(file.trailer.get('/Root'))!
  need(bytes.subarray(0, 8).toString() === '%PDF-1.7', 'the version is not 1.7')
  need(dictOf(root.get('/MarkInfo'))?.get('/Marked') === true, 'MarkInfo does not say that it is marked')
  need(isText(root.get('/Lang')), 'no language')
  need(dictOf(root.get('/ViewerPreferences'))?.get('/DisplayDocTitle') === true, 'the title is not displayed')
  const metadata = root.has('/Metadata') ? streamOf(root.get('/Metadata')!).bytes.toString() : ''
  need(/<pdfuaid:part>1<\/pdfuaid:part>/.test(metadata), 'the metadata do not name PDF/UA')
  need(/<dc:title>[\s\S]*<rdf:li[^>]*>[^<]+<\/rdf:li>/.test(metadata), 'the metadata have no title')

  const tree = dictOf(root.get('/StructTreeRoot'))
  if (!tree) return { problems: [...problems, 'no structure tree'], text: [], tags: [] }
  const parents = readNumbers(tree.get('/ParentTree'))
  const pages = readPages(root.get('/Pages')!)
  const shown = new Map<string, string>()
  for (const [number, page] of pages.entries()) readPage(number, page)

  const tags: string[] = []
  const text: string[] = []
  const claimed = new Set<string>()
  const headings: number[] = []
  for (const kid of listOf(tree.get('/K'))) walk(kid, [], null)
  for (const key of shown.keys()) need(claimed.has(key), `content ${key} is in no element`)
  need(headings[0] === 1, 'the first heading is not H1')
  need(
    headings.every((level, i) => i === 0 || level <= headings[i - 1]! + 1),
    'a heading skips a level',
  )
  return { problems, text, tags }

  function readPages(value: Value): Dict[] {
    const node = dictOf(value)!
    return node.get('/Type') === '/Page' ? [node] : listOf(node.get('/Kids')).flatMap(readPages)
  }

  function readNumbers(value: Value | undefined): Map<number, Value> {
    const node = dictOf(value)
    if (!node) return new Map()
    const nums = listOf(node.get('/Nums'))
    const own = nums.flatMap((key, i): [number, Value][] => (i % 2 === 0 ? [[key as number, nums[i + 1]!]] : []))
    return new Map([...own, ...listOf(node.get('/Kids')).flatMap((kid) => [...readNumbers(kid)])])
  }

  /** Finds content outside of marks, and collects the text of each marked content. */
  function readPage(number: number, page: Dict) {
    const fonts = readFonts(dictOf(page.get('/Resources')))
    const content = listOf(page.get('/Contents')).map((one) => streamOf(one).bytes.toString('latin1'))
    const marks: { tag: string; mcid: number | null }[] = []
    let font = ''
    for (const { operator, operands } of operationsOf(content.join('\n'))) {
      if (operator === 'BMC' || operator === 'BDC') {
        const mcid = operator === 'BDC' && operands[1] instanceof Map ? operands[1].get('/MCID') : undefined
        marks.push({ tag: operands[0] as string, mcid: typeof mcid === 'number' ? mcid : null })
        if (typeof mcid === 'number') shown.set(`${number}/${mcid}`, '')
      } else if (operator === 'EMC') need(marks.pop() !== undefined, `page ${number} ends a mark twice`)
      else if (operator === 'Tf') font = operands[0] as string
      else if (/^(Tj|TJ|'|"|Do|sh|BI|[fF]\*?|[sS]|[bB]\*?)$/.test(operator)) {
        const mark = marks.at(-1)
        need(
          mark !== undefined && (mark.tag === '/Artifact' || mark.mcid !== null),
          `page ${number} draws (${operator}) outside of marks`,
        )
        if (!mark || mark.mcid === null) continue
        const key = `${number}/${mark.mcid}`
        const decode = fonts.get(font) ?? (() => '')
        const pieces = listOf(operands[0]).filter(isText)
        shown.set(key, shown.get(key)! + pieces.map((piece) => decode(piece.text)).join(''))
      }
    }
    need(marks.length === 0, `page ${number} leaves a mark open`)
    const list = listOf(parents.get(page.get('/StructParents') as number))
    for (const key of shown.keys())
      if (key.startsWith(`${number}/`))
        need(Boolean(dictOf(list[Number(key.split('/')[1])])), `content ${key} is not in the parent tree`)
  }

  /** Returns the decoder of each font. Fonts must be embedded and map their glyphs to text. */
  function readFonts(resources: Dict | undefined) {
    const decoders = new Map<string, (codes: string) => string>()
    for (const [name, value] of dictOf(resources?.get('/Font')) ?? []) {
      const font = dictOf(value)!
      const descendant = dictOf(listOf(font.get('/DescendantFonts'))[0]) ?? font
      const descriptor = dictOf(descendant.get('/FontDescriptor'))
      const isEmbedded = ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => descriptor?.has(key))
      need(isEmbedded, `font ${name} is not embedded`)
      need(font.has('/ToUnicode'), `font ${name} does not say what its glyphs mean`)
      if (!font.has('/ToUnicode')) continue
      const letters = readLetters(streamOf(font.get('/ToUnicode')!).bytes.toString('latin1'))
      decoders.set(name, (codes) =>
        (Buffer.from(codes, 'latin1').toString('hex').match(/.{4}/g) ?? [])
          .map((code) => letters.get(Number.parseInt(code, 16)) ?? '\ufffd')
          .join(''),
      )
    }
    return decoders
  }

  function walk(value: Value, above: string[], page: Dict | null) {
    const ref = isRef(value) ? value.ref : 0
    const element = dictOf(value)
    if (!element?.has('/S')) return need(false, 'an element has no type')
    const tag = (element.get('/S') as string).slice(1)
    const path = [...above, tag]
    tags.push(path.join('/'))
    checkPlace(tag, above.at(-1), element)
    const level = /^H([1-6])$/.exec(tag)
    if (level) headings.push(Number(level[1]))
    const own = dictOf(element.get('/Pg')) ?? page
    let words = ''
    for (const kid of listOf(element.get('/K'))) {
      const given = dictOf(kid)
      const mcid = typeof kid === 'number' ? kid : given?.get('/Type') === '/MCR' ? given.get('/MCID') : null
      if (typeof mcid !== 'number') {
        walk(kid, path, own)
        continue
      }
      const number = pages.indexOf((given && dictOf(given.get('/Pg'))) ?? own!)
      const key = `${number}/${mcid}`
      need(shown.has(key), `${path.join('/')} names content ${key}, which is not there`)
      need(!claimed.has(key), `content ${key} is in two elements`)
      claimed.add(key)
      const parent = listOf(parents.get(pages[number]?.get('/StructParents') as number))[mcid]
      need(isRef(parent) && parent.ref === ref, `the parent tree names another element for ${key}`)
      words += shown.get(key) ?? ''
    }
    if (words) text.push(words)
    if (/^(P|H[1-6]|TH)$/.test(tag)) need(words.trim() !== '', `${path.join('/')} is empty`)
  }

  function checkPlace(tag: string, above: string | undefined, element: Dict) {
    const kids = listOf(element.get('/K')).map((kid) => String(dictOf(kid)?.get('/S') ?? '').slice(1))
    const all = (allowed: RegExp) => kids.every((kid) => allowed.test(kid))
    if (tag === 'Table') {
      need(all(/^(THead|TBody|TFoot|TR|Caption)$/), 'a table holds something else than rows')
      const rows = listOf(element.get('/K')).flatMap((kid) =>
        dictOf(kid)?.get('/S') === '/TR' ? [kid] : listOf(dictOf(kid)?.get('/K')),
      )
      const widths = new Set(rows.map((row) => listOf(dictOf(row)?.get('/K')).length))
      need(widths.size === 1, `a table has rows of ${[...widths].join(' and ')} cells`)
      const tagsOfCells = rows.flatMap((row) => listOf(dictOf(row)?.get('/K')).map((cell) => dictOf(cell)?.get('/S')))
      need(tagsOfCells.includes('/TH'), 'a table has no header')
    }
    if (tag === 'TR') {
      need(/^(Table|THead|TBody|TFoot)$/.test(above ?? ''), 'a row is in no table')
      need(all(/^(TH|TD)$/), 'a row holds something else than cells')
    }
    if (tag === 'TH' || tag === 'TD') need(above === 'TR', `a ${tag} is in no row`)
    if (tag === 'TH') {
      const scope = dictOf(at(element.get('/A') ?? null))?.get('/Scope')
      need(scope === '/Column' || scope === '/Row' || scope === '/Both', 'a TH has no scope')
    }
  }
}

const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null && 'text' in value
const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'ref' in value

function openFile(bytes: Buffer) {
  const whole = bytes.toString('latin1')
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(whole)![1])
  const [, count] = /xref\s+0 (\d+)/.exec(whole.slice(start, start + 40))!
  const entries = whole.slice(start).match(/\d{10} \d{5} [nf]/g)!
  const offsets = entries.slice(0, Number(count)).map((entry) => (entry.endsWith('n') ? Number(entry.slice(0, 10)) : 0))
  const trailer = createReader(whole, whole.indexOf('trailer', start) + 7).value() as Dict
  const cache = new Map<number, { value: Value; end: number }>()

  function load(ref: number) {
    const known = cache.get(ref)
    if (known) return known
    const reader = createReader(whole, whole.indexOf('obj', offsets[ref]!) + 3)
    const loaded = { value: reader.value(), end: reader.at() }
    cache.set(ref, loaded)
    return loaded
  }
  const at = (value: Value): Value => (isRef(value) ? load(value.ref).value : value)
  const dictOf = (value: Value | undefined): Dict | undefined => {
    const found = value === undefined ? undefined : at(value)
    return found instanceof Map ? found : undefined
  }
  const listOf = (value: Value | undefined): Value[] => {
    if (value === undefined || value === null) return []
    const found = isRef(value) ? at(value) : value
    return Array.isArray(found) ? found : [value]
  }

  function streamOf(value: Value): Stream {
    const { value: dict, end } = load((value as Ref).ref)
    const begin = whole.indexOf('stream', end) + 6
    const from = whole[begin] === '\r' ? begin + 2 : begin + 1
    const raw = bytes.subarray(from, from + (at((dict as Dict).get('/Length')!) as number))
    const isPacked = (dict as Dict).get('/Filter') !== undefined
    return { dict: dict as Dict, bytes: isPacked ? inflateSync(raw) : raw }
  }
  return { trailer, at, dictOf, listOf, streamOf }
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Reads values and operators from position `from`. */
function createReader(source: string, from: number) {
  let i = from
  const skip = () => {
    while (/[\s\0]/.test(source[i] ?? 'x')) i++
  }

  function value(): Value {
    skip()
    if (source.startsWith('<<', i)) return dict()
    const first = source[i]
    if (first === '[') return list()
    if (first === '(') return literal()
    if (first === '<') return hex()
    const [word] = /^\/?[^\s\0[\]<>()/]*/.exec(source.slice(i, i + 300))!
    const [ref, number] = /^(\d+) \d+ R\b/.exec(source.slice(i, i + 30)) ?? []
    if (ref) {
      i += ref.length
      return { ref: Number(number) }
    }
    i += word.length || 1
    if (word.startsWith('/')) return word
    if (word === 'true' || word === 'false') return word === 'true'
    return word === 'null' ? null : Number(word)
  }

  function dict(): Dict {
    const found: Dict = new Map()
    for (i += 2, skip(); !source.startsWith('>>', i); skip()) {
      const key = value() as string
      found.set(key, value())
    }
    i += 2
    return found
  }

  function list(): Value[] {
    const found: Value[] = []
    for (i++, skip(); source[i] !== ']'; skip()) found.push(value())
    i++
    return found
  }

  function literal(): Text {
    let text = ''
    let depth = 0
    for (; i < source.length; i++) {
      const letter = source[i]!
      if (letter === '\\') text += ESCAPES[source[++i]!] ?? source[i]!
      else if (letter === '(' && depth++ === 0) continue
      else if (letter === ')' && --depth === 0) break
      else text += letter
    }
    i++
    return { text }
  }

  function hex(): Text {
    const end = source.indexOf('>', i)
    const text = Buffer.from(source.slice(i + 1, end).replace(/\s/g, ''), 'hex').toString('latin1')
    i = end + 1
    return { text }
  }

  return { value, at: () => i, skip, take: (length: number) => void (i += length) }
}

/** Returns the operators of a content stream, each with its operands. */
function operationsOf(content: string): { operator: string; operands: Value[] }[] {
  const reader = createReader(content, 0)
  const found: { operator: string; operands: Value[] }[] = []
  let operands: Value[] = []
  for (;;) {
    reader.skip()
    const rest = content.slice(reader.at(), reader.at() + 20)
    if (rest === '') return found
    const [operator] = /^(?!true|false|null)[A-Za-z'"][A-Za-z0-9*]*/.exec(rest) ?? []
    if (!operator) {
      operands.push(reader.value())
      continue
    }
    reader.take(operator.length)
    found.push({ operator, operands })
    operands = []
  }
}

/** Returns the text of each glyph of a font. */
function readLetters(cmap: string): Map<number, string> {
  const letters = new Map<number, string>()
  for (const [, start, , list] of cmap.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f]+)>\s*\[([^\]]*)\]/gi))
    for (const [n, [, code]] of [...list!.matchAll(/<([0-9a-f ]+)>/gi)].entries())
      letters.set(
        Number.parseInt(start!, 16) + n,
        Buffer.from(code!.replace(/\s/g, ''), 'hex').swap16().toString('utf16le'),
      )
  return letters
}
