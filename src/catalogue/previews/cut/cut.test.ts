import type { Readable } from 'node:stream'
import { PDFDict, PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import PDFKit from 'pdfkit'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readEntry, readZip } from '../../../uploads/checks/zip.server.ts'
import { sniff } from '../../../uploads/checks/sniff.rules.ts'
import { bytesToRead, cutStart } from './cutStart.server.ts'

const cut = (contentType: string, head: Uint8Array) => cutStart({ head, sizeBytes: head.length, contentType })

// PDF

async function makePdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let page = 1; page <= pages; page++) pdf.addPage([300, 200]).drawText(`Page ${page}`, { font, x: 20, y: 100 })
  return pdf.save({ useObjectStreams: false })
}

test('cuts the first pages of a PDF', async () => {
  const sample = (await cut('application/pdf', await makePdf(30)))!
  expect([sample.shown, sample.whole]).toEqual([6, 30])
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
  expect([sample.shown, sample.whole]).toEqual([1, 4])
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

test('a reference cannot lead out of the book', async () => {
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

test('cuts no sound that is damaged or shorter than it claims', async () => {
  const note = Buffer.from('Info\x00\x00\x00\x01\x00\x00\x00\x00', 'latin1')
  note.writeUInt32BE(100_000, 8)
  for (const sound of [makeMp3(50, note), makeMp3(20), Buffer.from('ID3 no frame'), Buffer.alloc(0)])
    expect(await cut('audio/mpeg', sound)).toBeNull()
  for (const sound of [makeWav(1), Buffer.from('RIFF....WAVEfmt '), makeWav(9).subarray(0, 30)])
    expect(await cut('audio/wav', sound)).toBeNull()
})

test('reads all of a PDF or a book, the start of a recording, and nothing else', () => {
  const MB = 1024 * 1024
  const read = (contentType: string, mb: number) => bytesToRead({ contentType, sizeBytes: mb * MB })
  expect(read('application/pdf', 50)).toBe(50 * MB)
  expect(read('application/pdf', 51)).toBeNull()
  expect(read('application/epub+zip', 51)).toBeNull()
  expect(read('audio/wav', 500)).toBe(20 * MB)
  expect(read('application/zip', 1)).toBeNull()
})
