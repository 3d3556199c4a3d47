import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFromQuarantine } from './quarantine.server.ts'
import { type Person, type Served, startServed } from '../../test/served.ts'
import { openStore, type Store, STORES } from '../../test/stores.ts'
import { uploadRoutes } from './uploads.server.ts'

// Forty harmful files that the shop must refuse. Each is uploaded as in a browser, to both stores.

const MB = 1024 * 1024
const latin = (text: string) => Buffer.from(text, 'latin1')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
const HTML = '<!doctype html><script>alert(document.cookie)</script>'
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'
const MZ = 'MZ\x90\0\x03\0\0\0\x04\0'
const jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a40' } })
  .jpeg()
  .toBuffer()
const png = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a40' } })
  .png()
  .toBuffer()

/** Creates a PNG with a false size and almost no pixels. */
function claimingPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([latin(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const bytes = chunk('IDAT', deflateSync(Buffer.alloc(1000)))
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n'), chunk('IHDR', head), bytes, chunk('IEND', Buffer.alloc(0))])
}

/** Creates an archive of one file whose directory contains the size `claimed`. */
function zipOf(name: string, text: string | Buffer, claimed = text.length): Buffer {
  const data = deflateRawSync(text)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(claimed, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([latin('PK\x03\x04'), fields, latin(name), data])
  const central = Buffer.concat([latin('PK\x01\x02\x14\0'), fields, Buffer.alloc(14), latin(name)])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

const OTHER = 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.'
const DAMAGED = 'This image is damaged and can’t be shown.'
const PIXELS = 'megapixels'

const IMAGES: [name: string, bytes: Buffer | string, status: number, says: string][] = [
  ['drawing.svg', SVG, 415, OTHER],
  ['drawing.png', SVG, 415, OTHER],
  ['prolog.png', `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, 415, OTHER],
  ['packed.svgz', gzipSync(SVG), 415, OTHER],
  ['page.html', HTML, 415, OTHER],
  ['page.jpg', HTML, 415, OTHER],
  ['gif.html', `GIF89a/*${HTML}*/=1;`, 400, DAMAGED],
  ['shell.gif', 'GIF89a<?php system($_GET["c"]); ?>', 400, DAMAGED],
  ['png.html', latin(`\x89PNG\r\n\x1a\n${HTML}`), 400, DAMAGED],
  ['jpeg.html', latin(`\xff\xd8\xff\xe0${HTML}`), 400, DAMAGED],
  ['webp.html', latin(`RIFF\x20\0\0\0WEBPVP8 ${HTML}`), 400, DAMAGED],
  ['avif.html', latin(`\0\0\0\x1cftypavif${HTML}`), 400, DAMAGED],
  ['half.jpg', jpeg.subarray(0, jpeg.length / 2), 400, DAMAGED],
  ['half.png', png.subarray(0, png.length / 2), 400, DAMAGED],
  ['wide.png', claimingPng(60_000, 60_000), 413, PIXELS],
  ['long.png', claimingPng(1, 2_000_000_000), 400, DAMAGED],
  ['large.png', Buffer.concat([png, Buffer.alloc(5 * MB)]), 413, 'The file is larger than 5 MB.'],
  ['photo.heic', latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 415, OTHER],
  ['scan.tif', latin('II*\0\x08\0\0\0'), 415, OTHER],
  ['scan.tiff', latin('MM\0*\0\0\0\x08'), 415, OTHER],
  ['old.bmp', latin('BM\x46\0\0\0\0\0\0\0'), 415, OTHER],
  ['icon.ico', latin('\0\0\x01\0\x01\0'), 415, OTHER],
  ['layers.psd', latin('8BPS\0\x01'), 415, OTHER],
  ['book.png', '%PDF-1.7\n%%EOF', 415, OTHER],
  ['pack.png', zipOf('a.txt', 'a'), 415, OTHER],
  ['tool.png', latin(MZ), 415, OTHER],
  ['film.gif', latin('\0\0\0\x20ftypisom'), 415, OTHER],
]

const FILES: typeof IMAGES = [
  ['book.pdf', latin(MZ), 415, 'It’s a program.'],
  ['page.pdf', HTML, 415, 'isn’t a PDF. It looks like a text.'],
  ['cut.pdf', '%PDF-1.7\n1 0 obj', 415, 'its end is missing'],
  ['notes.txt', latin('\x7fELF\x02'), 415, 'It’s a program.'],
  ['bomb.zip', zipOf('a.txt', Buffer.alloc(12 * MB)), 415, 'unpacks to more than 100 times its size'],
  ['liar.zip', zipOf('a.txt', 'a', 0xfffffff0), 415, 'unpacks to more than 100 times its size'],
  ['bomb.gz', gzipSync(Buffer.alloc(12 * MB)), 415, 'unpacks to more than 100 times its size'],
  ['cut.zip', zipOf('a.txt', 'a').subarray(0, -10), 415, 'is an archive that doesn’t open'],
  ['half.epub', zipOf('mimetype', 'application/epub+zip'), 415, 'EPUB'],
  ['song.mp3', HTML, 415, 'isn’t an MP3'],
  ['letter.docx', HTML, 415, 'isn’t a Word document'],
  ['virus.bin', EICAR, 400, 'holds something harmful (Eicar-Test-Signature)'],
  ['huge.bin', randomBytes(13 * MB), 413, 'larger than 12 MB'],
]

test('covers forty harmful files', () => expect(IMAGES.length + FILES.length).toBe(40))

describe.each(STORES)('on the %s store', (kind) => {
  let store: Store
  let shop: Served
  let ada: Person
  beforeAll(async () => {
    store = await openStore(kind, 12 * MB)
    const scan = async (bytes: Parameters<NonNullable<Store['storage']['scan']>>[0]) =>
      (await buffer(bytes)).includes('EICAR') ? 'Eicar-Test-Signature' : null
    shop = await startServed(
      (storage) =>
        uploadRoutes({
          storage: { ...storage, scan },
          secret: 's'.repeat(32),
          config: { maxFileBytes: 12 * MB, maxBytesPerDay: 1024 * MB },
          publicUrl: undefined,
        }),
      { open: () => store.storage },
    )
    ada = await shop.addPerson()
  })
  afterAll(async () => {
    await shop.stop()
    await store.stop()
  })

  /** Sends a file like the uploader. `isPlain` announces nothing, like a malicious client. */
  async function sendFile(kind: string, name: string, bytes: Buffer, isPlain: boolean) {
    const announced = {
      'x-file-size': String(bytes.length),
      'x-file-sha256': createHash('sha256').update(bytes).digest('base64'),
    }
    const own = { 'x-upload-kind': kind, 'x-file-name': encodeURIComponent(name) }
    const size = store.s3 ? { 'x-file-size': announced['x-file-size'] } : {}
    const headers = { cookie: ada.cookie, ...own, ...(isPlain ? size : announced) }
    const issued = await fetch(`${shop.url}/api/objects/upload`, { method: 'POST', headers })
    if (!issued.ok) return { answer: issued, id: null }
    const { uploadURL, id, headers: signed } = (await issued.json()) as Record<string, string> & { headers: object }
    const put = { method: 'PUT', headers: { ...own, ...signed }, body: bytes as Buffer<ArrayBuffer> }
    const sent = await fetch(uploadURL!, store.s3 ? { ...put, headers: { ...signed } } : put)
    if (!sent.ok || !store.s3) return { answer: sent, id: id! }
    const finish = { method: 'POST', headers: { cookie: ada.cookie } }
    return { answer: await fetch(`${shop.url}/api/objects/${id}/finish`, finish), id: id! }
  }

  test.each([...IMAGES.map((file) => ['image', ...file] as const), ...FILES.map((file) => ['file', ...file] as const)])(
    'rejects the %s %s and stores nothing',
    async (as, name, given, status, says) => {
      const bytes = Buffer.from(given as Buffer)
      for (const isPlain of [false, true]) {
        const { answer, id } = await sendFile(as, name, bytes, isPlain)
        expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
          status,
          expect.stringContaining(says),
        ])
        if (id === null) continue
        // only malware stays in quarantine until staff remove it
        const isKept = await removeFromQuarantine(shop.db, store.storage, id)
        expect(isKept).toBe(name === 'virus.bin')
        expect(await store.storage.find(id)).toBe(null)
        expect([...(store.s3?.store.objects.keys() ?? [])]).toEqual([])
        const row = await shop.db.selectFrom('objects').select('status').where('id', '=', id).executeTakeFirst()
        expect(row?.status).toBe(isKept ? undefined : 'issued')
      }
    },
  )
})
