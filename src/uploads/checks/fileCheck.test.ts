import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkFile, refuseBomb } from './fileCheck.server.ts'
import { openDiskStorage } from '../disk/storage.disk.server.ts'
import { type ReadBytes, readZip } from './zip.server.ts'
import type { Storage } from '../storage.server.ts'

let folder: string
let storage: Storage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'primo-check-'))
  storage = openDiskStorage(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** Creates an archive of these files. Those in `packed` are deflated. */
function zipOf(files: Record<string, string>, packed: string[] = []): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const plain = Buffer.from(text)
    const isPacked = packed.includes(name)
    const data = isPacked ? deflateRawSync(plain) : plain
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isPacked ? 8 : 0, 4)
    fields.writeUInt32LE(crc32(plain), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(plain.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), data])
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, more, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
const BOOK = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': CONTAINER,
  'OEBPS/book.opf': '<package/>',
}
const encryptedBy = (algorithm: string) =>
  `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`
const caseOf = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/cases', name))
const without = (name: keyof typeof BOOK) => Object.fromEntries(Object.entries(BOOK).filter(([key]) => key !== name))
const PDF = '%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n'
const ZIP = zipOf({ 'a.txt': 'Pages', 'b.txt': 'More' }, ['b.txt'])
const latin = (text: string) => Buffer.from(text, 'latin1')
const MZ = latin('MZ\x90\0\x03\0\0\0\x04\0')

/** Sets the number of entries in the end record of the archive. */
function counting(zip: Buffer, count: number): Buffer {
  const changed = Buffer.from(zip)
  changed.writeUInt16LE(count, changed.length - 12)
  return changed
}

async function check(bytes: Buffer, fileName: string | null) {
  const id = crypto.randomUUID()
  await storage.put(id, Readable.from([bytes]))
  return checkFile(storage, { id, sizeBytes: bytes.length, fileName })
}

test.each([
  ['book.pdf', Buffer.from(PDF), false],
  ['Book.PDF', Buffer.from(PDF + ' '.repeat(2000)), false],
  ['book.epub', zipOf(BOOK), false],
  ['packed.epub', zipOf(BOOK, ['META-INF/container.xml']), false],
  [
    'fonts.epub',
    zipOf({ ...BOOK, 'META-INF/encryption.xml': encryptedBy('http://www.idpf.org/2008/embedding') }),
    false,
  ],
  ['e01-plain.epub', caseOf('e01-plain.epub'), false],
  ['pages.zip', ZIP, false],
  ['empty.zip', zipOf({}), false],
  ['notes.docx', ZIP, false],
  ['song.mp3', latin('ID3\x04'), false],
  ['film.mp4', latin('\0\0\0\x20ftypMSNV'), false],
  ['pages.txt', Buffer.from('Here.'), false],
  ['old pages.txt', latin('\xff\xfeH\0i\0'), false],
  ['novel.mobi', latin('Novel\0\0'), false],
  ['no extension', latin('\0\x01\x02'), false],
  [null, Buffer.from(PDF), false],
  ['zeros.zip', zipOf({ 'a.txt': ' '.repeat(100_000) }, ['a.txt']), false],
  ['tool.exe', MZ, true],
  ['tool', latin('\x7fELF\x02'), true],
  ['install.sh', Buffer.from('#!/bin/sh\nls'), true],
  ['tool.zip', zipOf({ 'read me.txt': '', 'bin/Setup.EXE': 'x' }), true],
])('accepts %s', async (fileName, bytes, isProgram) => {
  expect(await check(bytes, fileName)).toEqual({ isProgram })
})

test.each([
  ['fake.pdf', Buffer.from('just some text..'), '“fake.pdf” isn’t a PDF. It looks like a text.'],
  ['cut.pdf', Buffer.from(PDF.slice(0, 20)), '“cut.pdf” isn’t a whole PDF: its end is missing.'],
  [null, Buffer.from(PDF.slice(0, 20)), 'This file isn’t a whole PDF: its end is missing.'],
  ['book.epub', Buffer.from(PDF), '“book.epub” isn’t an EPUB. It looks like a PDF.'],
  ['bare.epub', ZIP, '“bare.epub” isn’t an EPUB. It looks like a ZIP archive.'],
  ['half.epub', zipOf(without('OEBPS/book.opf')), 'isn’t a whole EPUB'],
  ['bare.epub', zipOf(without('META-INF/container.xml')), 'isn’t a whole EPUB'],
  ['e09-backslash.epub', caseOf('e09-backslash.epub'), 'isn’t a whole EPUB'],
  ['e17-folder.epub', caseOf('e17-folder.epub'), 'isn’t an EPUB'],
  ['e13-drm.epub', caseOf('e13-drm.epub'), '“e13-drm.epub” is protected (DRM)'],
  ['cut.zip', ZIP.subarray(0, -30), '“cut.zip” is an archive that doesn’t open.'],
  ['head.zip', latin(`PK\x03\x04${'x'.repeat(500)}`), 'is an archive that doesn’t open.'],
  ['shifted.zip', Buffer.concat([latin('PK\x03\x04'), ZIP]), 'is an archive that doesn’t open.'],
  // some programs unpack it although its directory is invalid
  ['head.bin', latin(`PK\x03\x04${'x'.repeat(500)}`), 'is an archive that doesn’t open.'],
  ['counted.zip', counting(ZIP, 1), 'is an archive that doesn’t open.'],
  ['notes.docx', latin(`PK\x03\x04${'x'.repeat(500)}`), 'is an archive that doesn’t open.'],
  ['song.mp3', Buffer.from('la la la'), '“song.mp3” isn’t an MP3. It looks like a text.'],
  ['book.pdf', MZ, '“book.pdf” isn’t a PDF. It’s a program.'],
  ['pages.txt', MZ, '“pages.txt” isn’t a text. It’s a program.'],
  ['bomb.zip', zipOf({ 'a.txt': ' '.repeat(11_000_000) }, ['a.txt']), 'unpacks to more than 100 times its size'],
  ['all.rar', ZIP, '“all.rar” isn’t a RAR archive. It looks like a ZIP archive.'],
])('rejects %s with the reason', async (fileName, bytes, reason) => {
  await expect(check(bytes, fileName)).rejects.toMatchObject({
    status: 415,
    code: 'not_as_claimed',
    message: expect.stringContaining(reason),
  })
})

const BOMB = gzipSync(Buffer.alloc(11_000_000))
/** Sets the unpacked size in directory and entries of the archive. */
function claiming(zip: Buffer, bytes: number): Buffer {
  const changed = Buffer.from(zip)
  changed.writeUInt32LE(bytes, 22)
  changed.writeUInt32LE(bytes, zip.readUInt32LE(zip.length - 6) + 24)
  return changed
}
const LARGE_ZIP = zipOf({ 'a.txt': ' '.repeat(11_000_000) }, ['a.txt'])
/** Makes both directory entries point to the same bytes. */
function overlapping(zip: Buffer): Buffer {
  const changed = Buffer.from(zip)
  const directory = zip.readUInt32LE(zip.length - 6)
  changed.writeUInt32LE(0, directory + 46 + 'a.txt'.length + 42)
  return changed
}
test.each([
  ['bomb.gz', BOMB],
  ['a bomb of another name.bin', BOMB],
  ['ends with an empty member.gz', Buffer.concat([BOMB, gzipSync('')])],
  ['a false directory.zip', claiming(LARGE_ZIP, 100)],
  ['entries that share bytes.zip', overlapping(ZIP)],
  ['ends with a damaged member.gz', Buffer.concat([BOMB, gzipSync(randomBytes(1000)).subarray(0, -20)])],
])('rejects %s, which unpacks to more than 100 times its size', async (fileName, bytes) => {
  const id = crypto.randomUUID()
  await storage.put(id, Readable.from([bytes]))
  await expect(refuseBomb(storage, { id, sizeBytes: bytes.length, fileName })).rejects.toMatchObject({
    status: 415,
    message: `“${fileName}” is an archive that unpacks to more than 100 times its size.`,
  })
})

test('accepts archives below the limit and other files', async () => {
  for (const bytes of [
    gzipSync('Pages'),
    gzipSync(Buffer.alloc(9_000_000)),
    ZIP,
    zipOf({ 'a.txt': ' '.repeat(9_000_000), 'b.txt': 'b' }, ['a.txt', 'b.txt']),
    claiming(zipOf({ 'a.txt': ' '.repeat(9_000_000) }, ['a.txt']), 100),
    Buffer.from('No archive'),
    latin('\x1f\x8b\x08'),
  ]) {
    const id = crypto.randomUUID()
    await storage.put(id, Readable.from([bytes]))
    await refuseBomb(storage, { id, sizeBytes: bytes.length, fileName: 'a.gz' })
  }
})

test('reads sizes of 4 GB and more from the ZIP64 field', async () => {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(600_000_000_000n, 4)
  const zip = zipOf({ 'a.txt': 'Pages' })
  const start = zip.indexOf('PK\x01\x02')
  const end = zip.length - 22
  const [directory, last] = [Buffer.concat([zip.subarray(start, end), extra]), Buffer.from(zip.subarray(end))]
  directory.writeUInt32LE(0xffffffff, 24)
  directory.writeUInt16LE(extra.length, 30)
  last.writeUInt32LE(directory.length, 12)
  const wide = Buffer.concat([zip.subarray(0, start), directory, last])
  const read: ReadBytes = async (at, length) => wide.subarray(at, at + length)
  expect(await readZip(read, wide.length)).toMatchObject([{ name: 'a.txt', unpackedBytes: 600_000_000_000 }])
})

test('rejects a directory with a false size without reading it', async () => {
  for (const field of [12, 16]) {
    const lying = Buffer.from(ZIP)
    lying.writeUInt32LE(0xfffffff0, lying.length - 22 + field)
    await expect(check(lying, 'lying.zip')).rejects.toMatchObject({ status: 415 })
  }
  const bomb = { ...BOOK, 'META-INF/container.xml': CONTAINER + ' '.repeat(10_000_000) }
  await expect(check(zipOf(bomb, ['META-INF/container.xml']), 'bomb.epub')).rejects.toMatchObject({ status: 415 })
})
