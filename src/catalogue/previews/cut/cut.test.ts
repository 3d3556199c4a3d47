import type { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFName, PDFRawStream, type PDFRef, StandardFonts } from '@cantoo/pdf-lib'
import PDFKit from 'pdfkit'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readEntry, readZip } from '../../../uploads/checks/zip.server.ts'
import { sniff } from '../../../uploads/checks/sniff.rules.ts'
import { bytesToRead } from './cut.rules.ts'
import { cutStart } from './cutStart.server.ts'

const cut = (contentType: string, bytes: Uint8Array) =>
  cutStart({ head: Uint8Array.from(bytes), sizeBytes: bytes.length, contentType })

// PDF

type Literal = Parameters<PDFDocument['context']['obj']>[0]

async function makePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let page = 1; page <= pages; page++) pdf.addPage([300, 200]).drawText(`Page ${page}`, { font, x: 20, y: 100 })
  return pdf.save({ useObjectStreams: false })
}

test('cuts the first pages of a PDF', async () => {
  const sample = (await cut('application/pdf', await makePdf(30)))!
  expect([sample.shown, sample.whole, sample.percent]).toEqual([6, 30, 20])
  expect((await PDFDocument.load(sample.bytes)).getPageCount()).toBe(6)
  expect(await cut('application/pdf', await makePdf(1))).toBeNull()
})

/** A PDF of two pages that share their resources and link to each other. */
async function makeShared(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const { context } = pdf
  const drawing = (text: string) =>
    context.register(context.stream(`% ${text}`, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }))
  const pictures = context.obj({ First: drawing('shown'), Second: drawing('hidden picture') })
  const pages = [pdf.addPage([300, 200]), pdf.addPage([300, 200])]
  const contents = ['/First Do', '% hidden text\n/Second Do'].map((text) => context.register(context.stream(text)))
  for (const [i, { node }] of pages.entries()) {
    node.set(PDFName.of('Resources'), context.obj({ XObject: pictures }))
    node.set(PDFName.of('Contents'), contents[i]!)
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], Dest: [pages[1 - i]!.ref, 'Fit'] }
    node.set(PDFName.of('Annots'), context.obj([link]))
  }
  return pdf.save({ useObjectStreams: false })
}

test('a sample of a PDF contains neither text nor pictures of the other pages', async () => {
  const whole = await makeShared()
  const sample = (await cut('application/pdf', whole))!
  const opened = await PDFDocument.load(sample.bytes)
  const text = Buffer.from(await opened.save({ useObjectStreams: false })).toString('latin1')
  for (const secret of ['hidden text', 'hidden picture'])
    expect(Buffer.from(whole).toString('latin1')).toContain(secret)
  expect(text).toContain('shown')
  expect(text).not.toContain('hidden')
  const pictures = opened.getPage(0).node.Resources()!.lookup(PDFName.of('XObject'), PDFDict)
  expect(pictures.keys()).toEqual([PDFName.of('First')])
})

type Drawing = Record<string, unknown>
type Made = { pdf: PDFDocument; add: (text: string, dict: Drawing) => PDFRef }

/** Cuts a PDF of two pages. The first one has the given resources and content. Returns the sample's objects as text. */
async function cutDrawing(content: string, draw: (made: Made) => Drawing): Promise<string | null> {
  const pdf = await PDFDocument.create()
  const { context } = pdf
  const [first, second] = [pdf.addPage([300, 200]), pdf.addPage([300, 200])]
  const add = (text: string, dict: Drawing) => context.register(context.stream(text, dict as Record<string, Literal>))
  first.node.set(PDFName.of('Resources'), context.obj(draw({ pdf, add }) as Record<string, Literal>))
  first.node.set(PDFName.of('Contents'), add(content, {}))
  second.node.set(PDFName.of('Contents'), add('% hidden text', {}))
  const sample = await cut('application/pdf', await pdf.save({ useObjectStreams: false }))
  if (!sample) return null
  const opened = await PDFDocument.load(sample.bytes)
  return Buffer.from(await opened.save({ useObjectStreams: false })).toString('latin1')
}

const FORM = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }
const TILE = { PatternType: 1, PaintType: 1, TilingType: 1, BBox: [0, 0, 9, 9], XStep: 9, YStep: 9 }

/** Drawings of which a page shows the first one only. */
const shared = (add: Made['add']) => ({ First: add('% shown', FORM), Second: add('% hidden picture', FORM) })

test.each<[string, string, (made: Made) => Drawing]>([
  [
    'a form that has the resources of the whole file',
    '/Sheet Do',
    ({ add }) => ({ XObject: { Sheet: add('/First Do', { ...FORM, Resources: { XObject: shared(add) } }) } }),
  ],
  [
    'a form without resources',
    '/Sheet Do',
    ({ add }) => ({ XObject: { ...shared(add), Sheet: add('/First Do', FORM) } }),
  ],
  [
    'a form in a form',
    '/Sheet Do',
    ({ add }) => {
      const inner = add('/First Do', { ...FORM, Resources: { XObject: shared(add) } })
      return { XObject: { Sheet: add('/Inner Do', { ...FORM, Resources: { XObject: { Inner: inner } } }) } }
    },
  ],
  [
    'a tiling pattern',
    '/Pattern cs /Tile scn',
    ({ add }) => ({
      Pattern: {
        Tile: add('/First Do', { ...TILE, Resources: { XObject: shared(add) } }),
        Other: add('% hidden tile', TILE),
      },
    }),
  ],
  [
    'a mask',
    '/State gs',
    ({ add }) => ({
      ExtGState: {
        State: { SMask: { S: 'Alpha', G: add('/First Do', { ...FORM, Resources: { XObject: shared(add) } }) } },
      },
    }),
  ],
  [
    'a font of drawings',
    '/Drawn 12 Tf',
    ({ add }) => ({
      Font: {
        Drawn: {
          Type: 'Font',
          Subtype: 'Type3',
          CharProcs: { a: add('/First Do', {}) },
          Resources: { XObject: shared(add) },
        },
      },
    }),
  ],
  [
    'a form with the data of a drawing program',
    '/Sheet Do',
    ({ add }) => ({
      XObject: {
        Sheet: add('% shown', {
          ...FORM,
          PieceInfo: { Illustrator: { Private: add('% hidden artwork', {}) } },
          Metadata: add('% hidden history', {}),
        }),
      },
    }),
  ],
])('a sample of a PDF with %s contains only what its pages draw', async (_, content, draw) => {
  const text = await cutDrawing(content, draw)
  expect(text).toContain('shown')
  expect(text).not.toContain('hidden')
})

test.each<[string, Drawing]>([
  ['off', { OFF: [] }],
  ['off by default', { BaseState: 'OFF' }],
])('cuts no PDF with a layer that is %s, because a sample would show it', async (_, first) => {
  const text = await cutDrawing('', ({ pdf }) => {
    const { context, catalog } = pdf
    const layer = context.register(context.obj({ Type: 'OCG' }))
    const config = 'OFF' in first ? { OFF: [layer] } : first
    catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [layer], D: config as Record<string, Literal> }))
    return {}
  })
  expect(text).toBeNull()
})

test('cuts a PDF whose layers are all visible', async () => {
  const text = await cutDrawing('% shown', ({ pdf: { context, catalog } }) => {
    const layer = context.register(context.obj({ Type: 'OCG' }))
    catalog.set(PDFName.of('OCProperties'), context.obj({ OCGs: [layer], D: { BaseState: 'ON', OFF: [] } }))
    return {}
  })
  expect(text).toContain('shown')
})

test('reads names in compressed content, and rejects content that unpacks to more than 16 MB', async () => {
  const packed = (text: string) => {
    const bytes = deflateSync(Buffer.from(text)).toString('latin1')
    return ({ pdf: { context }, add }: Made) => {
      const sheet = context.register(
        PDFRawStream.of(
          context.obj({ ...FORM, Filter: 'FlateDecode', Resources: { XObject: shared(add) } }),
          Buffer.from(bytes, 'latin1'),
        ),
      )
      return { XObject: { Sheet: sheet } }
    }
  }
  const text = await cutDrawing('/Sheet Do', packed('/First Do'))
  expect(text).toContain('shown')
  expect(text).not.toContain('hidden')
  await expect(cutDrawing('/Sheet Do', packed(`/First Do${' '.repeat(64 * 1024 * 1024)}`))).rejects.toThrow()
})

test('cuts no protected or damaged PDF', async () => {
  const pdf = new PDFKit({ ownerPassword: 'owner', userPassword: 'user' })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (let page = 1; page < 9; page++) pdf.addPage()
  pdf.end()
  await new Promise((resolve) => pdf.on('end', resolve))
  await expect(cut('application/pdf', Buffer.concat(chunks))).rejects.toThrow()
  await expect(cut('application/pdf', Buffer.from('%PDF-1.7 and no more'))).rejects.toThrow()
})

// EPUB

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files))
    zip.addBuffer(Buffer.from(text), name, { compress: name !== 'mimetype' })
  zip.end()
  return Buffer.concat(await (zip.outputStream as Readable).toArray())
}

const page = (title: string, inner: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body>${inner}</body></html>`

function bookFiles(chapters: string[]): Record<string, string> {
  const items = chapters.map(
    (_, i) => `<item id="c${i}" href="text/c%20${i}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata><dc:title>Salt &amp; Time</dc:title><dc:creator>Ruth&nbsp;T.</dc:creator>
      <dc:language>en</dc:language></metadata><manifest>
      <item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>${items.join('')}</manifest>
      <spine><itemref idref="nav"/>${chapters.map((_, i) => `<itemref idref="c${i}"/>`).join('')}</spine></package>`,
    'OPS/nav.xhtml': page('Contents', 'All chapters are listed here'),
    'OPS/one.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'OPS/two.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>hidden</title></svg>',
    ...Object.fromEntries(chapters.map((inner, i) => [`OPS/text/c ${i}.xhtml`, page(`Chapter ${i + 1}`, inner)])),
  }
}

async function namesOf(bytes: Uint8Array) {
  const read = async (start: number, length: number) => Buffer.from(bytes).subarray(start, start + length)
  const entries = (await readZip(read, bytes.length))!
  const textOf = async (name: string) =>
    (await readEntry(
      read,
      entries.find((entry) => entry.name === name)!,
      1_000_000,
    ))!.toString()
  return { names: entries.map(({ name }) => name), textOf }
}

test('cuts the first chapters of an EPUB with the files that they use', async () => {
  const chapters = ['<img src="../one.svg"/> first', '<img src="../two.svg"/> hidden', 'hidden', 'hidden']
  const sample = (await cut('application/epub+zip', await zipOf(bookFiles(chapters))))!
  expect([sample.shown, sample.whole, sample.percent]).toEqual([1, 4, 27])
  expect(sniff(sample.bytes.subarray(0, 100)).contentType).toBe('application/epub+zip')
  const { names, textOf } = await namesOf(sample.bytes)
  expect(names).toEqual([
    ...[
      'mimetype',
      'META-INF/container.xml',
      'sample.opf',
      'sample-contents.xhtml',
      'OPS/text/c 0.xhtml',
      'OPS/one.svg',
    ],
  ])
  for (const name of names) expect(await textOf(name), name).not.toContain('hidden')
  expect(await textOf('sample.opf')).toMatch(
    /<dc:title>Salt &amp; Time<[^]*<dc:creator>Ruth&amp;nbsp;T\.<[^]*c%200\.xhtml/,
  )
  expect(await textOf('sample-contents.xhtml')).toContain('<a href="OPS/text/c%200.xhtml">Chapter 1</a>')
})

test('cuts no EPUB that is protected, damaged or of one chapter', async () => {
  const files = bookFiles(['one', 'two', 'three'])
  const encryption =
    '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></encryption>'
  for (const book of [
    await zipOf({ ...files, 'META-INF/encryption.xml': encryption }),
    await zipOf({ ...files, 'OPS/book.opf': '' }),
    await zipOf({ ...files, 'META-INF/container.xml': '<container/>' }),
    await zipOf(bookFiles(['the only one'])),
    Buffer.from('PK\x03\x04 and no more'),
  ])
    expect(await cut('application/epub+zip', book)).toBeNull()
})

test('rejects a book that unpacks to more than 100 MB', async () => {
  const chapters = Array.from({ length: 9 }, () => ' '.repeat(12 * 1024 * 1024))
  await expect(cut('application/epub+zip', await zipOf(bookFiles(chapters)))).rejects.toThrow('too many bytes')
})

test('the package of a sample is valid XML although the title of the book has forbidden characters', async () => {
  const files = bookFiles(['one', 'two', 'three'])
  files['OPS/book.opf'] = files['OPS/book.opf']!.replace(
    'Salt &amp; Time',
    'Salt&#0; &#xD800;&#abc;\u0001&#8217; &amp; Time',
  )
  const sample = (await cut('application/epub+zip', await zipOf(files)))!
  const opf = await (await namesOf(sample.bytes)).textOf('sample.opf')
  expect(opf).toContain('<dc:title>Salt &amp;#abc;&#8217; &amp; Time</dc:title>')
})

test('a reference cannot leave the book', async () => {
  const inner = '<img src="../../../../etc/a.svg"/><img src="https://x.example/b.svg"/><img src="//x.example/c.svg"/>'
  const sample = (await cut('application/epub+zip', await zipOf(bookFiles([inner, 'two', inner]))))!
  expect((await namesOf(sample.bytes)).names.filter((name) => name.endsWith('.svg'))).toEqual([])
})

// Sound

function makeWav(seconds: number, rate = 1000): Buffer {
  const data = Buffer.from(Array.from({ length: seconds * rate }, (_, i) => Math.floor(i / rate)))
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

test.each([
  [5, 2],
  [200, 60],
])('cuts of a WAV of %i seconds the first %i', async (whole, shown) => {
  const sample = (await cut('audio/wav', makeWav(whole)))!
  expect([sample.shown, sample.whole, sample.bytes.length]).toEqual([shown, whole, 44 + shown * 1000])
  const bytes = Buffer.from(sample.bytes)
  expect([bytes.readUInt32LE(4), bytes.readUInt32LE(40)]).toEqual([bytes.length - 8, shown * 1000])
  expect(Math.max(...bytes.subarray(44))).toBe(shown - 1)
})

const FRAME = 417
const FRAME_SECONDS = 1152 / 44_100
/** Frames of 128 kbit/s. The first bytes of a frame are its header. */
function makeMp3(frames: number, note?: Buffer): Buffer {
  const header = Buffer.from([0xff, 0xfb, 0x90, 0x00])
  const all = Array.from({ length: frames }, (_, i) => {
    const frame = Buffer.alloc(FRAME, i % 250)
    header.copy(frame)
    return frame
  })
  note?.copy(all[0]!, 36)
  return Buffer.concat(all)
}

test('cuts the first minute of an MP3, without its tag', async () => {
  const tag = Buffer.from('ID3\x03\x00\x00\x00\x00\x00\x14' + 'a picture and more..', 'latin1')
  const sample = (await cut('audio/mpeg', Buffer.concat([tag, makeMp3(6000)])))!
  expect([sample.shown, sample.whole]).toEqual([60, Math.round((6000 * FRAME * 8) / 128_000)])
  expect(sample.bytes.length).toBe(Math.ceil(60 / FRAME_SECONDS) * FRAME)
  expect(sniff(sample.bytes).contentType).toBe('audio/mpeg')
})

test('reads the length of an MP3 from its first frame, which the sample omits', async () => {
  const note = Buffer.from('Xing\x00\x00\x00\x01\x00\x00\x00\x00', 'latin1')
  note.writeUInt32BE(400, 8)
  const sample = (await cut('audio/mpeg', makeMp3(401, note)))!
  expect([sample.shown, sample.whole]).toEqual([5, 10])
  expect(Buffer.from(sample.bytes).includes('Xing')).toBe(false)
})

test('cuts no MP3 without a count of frames if its quiet start would give most of it', async () => {
  const quiet = Buffer.alloc(104)
  Buffer.from([0xff, 0xfb, 0x10, 0x00]).copy(quiet)
  expect(await cut('audio/mpeg', Buffer.concat([quiet, makeMp3(2400)]))).toBeNull()
})

test('cuts no sound that is damaged or shorter than it claims', async () => {
  const note = Buffer.from('Info\x00\x00\x00\x01\x00\x00\x00\x00', 'latin1')
  note.writeUInt32BE(100_000, 8)
  for (const sound of [makeMp3(50, note), makeMp3(20), Buffer.from('ID3 no frame'), Buffer.alloc(0)])
    expect(await cut('audio/mpeg', sound)).toBeNull()
  for (const sound of [makeWav(1), Buffer.from('RIFF....WAVEfmt '), makeWav(9).subarray(0, 30)])
    expect(await cut('audio/wav', sound)).toBeNull()
})

test('reads the whole PDF or book, only the start of a recording, and no other type', () => {
  const MB = 1024 * 1024
  const read = (contentType: string, mb: number) => bytesToRead({ contentType, sizeBytes: mb * MB })
  expect(read('application/pdf', 50)).toBe(50 * MB)
  expect(read('application/pdf', 51)).toBeNull()
  expect(read('application/epub+zip', 51)).toBeNull()
  expect(read('audio/wav', 500)).toBe(20 * MB)
  expect(read('application/zip', 1)).toBeNull()
})
