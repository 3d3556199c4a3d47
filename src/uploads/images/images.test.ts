import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bindUpload, findUpload, releaseUpload } from '../binding.server.ts'
import { inTurn } from './imageProcess.server.ts'
import { drawJpeg, makeImages, makeSizes } from './images.server.ts'
import { sizeImage } from './sizes.server.ts'
import { issue, type Person, type Served, startServed, upload } from '../../../test/served.ts'
import { sniff } from '../checks/sniff.rules.ts'
import { uploadRoutes } from '../uploads.server.ts'

let shop: Served
let ada: Person
beforeAll(async () => {
  const config = { maxFileBytes: 10 * 1024 * 1024 }
  shop = await startServed((storage) => uploadRoutes({ storage, secret: 'x'.repeat(32), config, publicUrl: undefined }))
  ada = await shop.addPerson()
})
afterAll(() => shop.stop())

const picture = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#2740b5' },
  })

/** Makes only the first size, like a request. */
async function make(bytes: Buffer, userId = 'ada') {
  const id = randomUUID()
  const stored = await shop.storage.put(id, Readable.from(bytes))
  const image = { id, userId, sizeBytes: stored.sizeBytes, ...sniff(bytes) }
  await makeImages(shop.db, shop.storage, image)
  return id
}

/** Makes all sizes, like the job. */
async function makeAll(bytes: Buffer) {
  const id = await make(bytes)
  await makeSizes(shop.storage, { id, userId: 'ada', sizeBytes: bytes.length, ...sniff(bytes) })
  return id
}

/** Returns the process ids of this process's decoders. */
async function decoders(): Promise<number[]> {
  const found = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [line, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    if (line!.includes('imageDecoder') && status!.includes(`PPid:\t${process.pid}\n`)) found.push(Number(pid))
  }
  return found
}

const NAMES = [160, 320, 640, 1280].flatMap((width) => [`${width}.avif`, `${width}.webp`])

async function imagesOf(id: string) {
  const found = []
  for (const name of NAMES) {
    const { stream } = await shop.storage.open(`images/${id}/${name}`)
    const { width, height, format, exif, icc, xmp } = await sharp(Buffer.concat(await stream.toArray())).metadata()
    found.push({ name, width, height, format, hasExtras: Boolean(exif ?? icc ?? xmp) })
  }
  return found
}

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
  'converts a %s to AVIF and WebP in four widths',
  async (format) => {
    const original = await picture(1280, 960)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .toFormat(format)
      .toBuffer()
    expect(await imagesOf(await makeAll(original))).toEqual(
      NAMES.map((name) => {
        const width = parseInt(name, 10)
        const kind = name.endsWith('avif') ? 'heif' : 'webp'
        return { name, width, height: width * 0.75, format: kind, hasExtras: false }
      }),
    )
  },
)

test.each([
  ['a busy photo', 2],
  ['noise', undefined],
])('limits card images to 20 KB, even of %s', async (_, blur) => {
  const pixels = randomBytes(1280 * 960 * 3)
  // soft noise compresses worse than a photo
  for (let i = 0; i < pixels.length; i++) pixels[i] = pixels[i]! / 4 + (Math.sin(i / 7) + Math.sin(i / 311)) * 60 + 90
  const busy = sharp(pixels, { raw: { width: 1280, height: 960, channels: 3 } })
  const id = await makeAll(await (blur ? busy.blur(blur) : busy).jpeg({ quality: 90 }).toBuffer())
  for (const name of NAMES.filter((of) => parseInt(of, 10) <= 640))
    expect((await shop.storage.find(`images/${id}/${name}`))!.sizeBytes, name).toBeLessThanOrEqual(20 * 1024)
})

test('does not enlarge a small image', async () => {
  const sizes = (await imagesOf(await makeAll(await picture(400, 300).png().toBuffer()))).map(({ width }) => width)
  expect(sizes).toEqual([160, 160, 320, 320, 400, 400, 400, 400])
})

test('rotates a photo that was taken sideways', async () => {
  const sideways = await picture(800, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const [, , small] = await imagesOf(await makeAll(sideways))
  expect(small).toMatchObject({ width: 320, height: 640 })
})

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>', 415],
  ['an HTML page', '<!doctype html><script>alert(1)</script>', 415],
  ['a PDF', '%PDF-1.7 ...', 415],
  ['a TIFF', 'II*\0\x08\0\0\0', 415],
  ['an HTML page that starts like a GIF', 'GIF89a/*<script>alert(1)</script>*/=1;', 400],
  ['an HTML page that starts like a PNG', '\x89PNG\r\n\x1a\n<script>alert(1)</script>', 400],
])('rejects %s as a product image', async (_, text, status) => {
  await expect(make(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ status })
})

test('drops bytes that follow an image in its file', async () => {
  const polyglot = Buffer.concat([await picture(64, 64).png().toBuffer(), Buffer.from('<script>alert(1)</script>')])
  const id = await makeAll(polyglot)
  for (const name of NAMES) {
    const { stream } = await shop.storage.open(`images/${id}/${name}`)
    expect(Buffer.concat(await stream.toArray()).toString('latin1')).not.toContain('script')
  }
})

test('rejects a truncated image', async () => {
  const whole = await picture(900, 600).jpeg().toBuffer()
  await expect(make(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({ status: 400 })
})

test('rejects an image of more than 5 MB', async () => {
  const large = Buffer.concat([await picture(64, 64).png().toBuffer(), Buffer.alloc(5 * 1024 * 1024)])
  await expect(make(large)).rejects.toMatchObject({ status: 413, message: 'The file is larger than 5 MB.' })
})

/** Creates a valid PNG of one colour with few bytes that decodes to width x height pixels. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

test('rejects a small file of 400 megapixels before decoding it', async () => {
  const small = bomb(20_000, 20_000)
  expect(small.length).toBeLessThan(100_000)
  const refused = { status: 413, message: expect.stringContaining('more than 40 megapixels') }
  await expect(make(small)).rejects.toMatchObject(refused)
  await expect(make(bomb(6000, 6000))).resolves.toBeTypeOf('string')
})

// one-coloured pixels need only a few hundred bytes
const heavy = (width: number, height: number) => picture(width, height).avif({ effort: 0 }).toBuffer()

/** Each picture with the maximum memory of its decoder above idle. Each of the two decoders has 64 MB. */
const WEIGHTS: [name: string, mostMb: number, draw: () => Promise<Buffer>][] = [
  ['small AVIF', 64, () => heavy(1800, 1300)],
  ['PNG', 64, () => picture(8000, 5000).png({ compressionLevel: 1 }).toBuffer()],
  ['large AVIF', 128, () => heavy(2500, 2000)],
  ['progressive JPEG', 128, () => picture(7000, 4100).jpeg({ progressive: true }).toBuffer()],
]

test.runIf(process.platform === 'linux')(
  'decodes pictures within the memory limit and rejects larger ones before',
  async () => {
    await make(await picture(80, 60).png().toBuffer())
    const [pid] = await decoders()
    const megabytes = async (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
    const idleMb = await megabytes('VmRSS')
    for (const [name, mostMb, draw] of WEIGHTS) {
      const bytes = await draw()
      await writeFile(`/proc/${pid}/clear_refs`, '5')
      await make(bytes)
      expect((await megabytes('VmHWM')) - idleMb, name).toBeLessThan(mostMb)
    }
    expect(await decoders()).toContain(pid)
    const refused = 'The image has more than 5 megapixels, the most for an AVIF. Please make it smaller.'
    await expect(make(await heavy(2600, 2000))).rejects.toMatchObject({ status: 413, message: refused })
  },
)

test('decodes a large picture alone while others wait', async () => {
  const done: string[] = []
  const [large, small] = [await heavy(2500, 2000), await picture(300, 200).png().toBuffer()]
  const first = make(large).then(() => done.push('large'))
  // wait until the large picture is stored and weighed
  await pause(150)
  const meta = { id: randomUUID(), userId: 'bob', ...sniff(small) }
  const { sizeBytes } = await shop.storage.put(meta.id, Readable.from(small))
  const other = makeSizes(shop.storage, { ...meta, sizeBytes }).then(() => done.push('small'))
  await Promise.all([first, other])
  expect(done).toEqual(['large', 'small'])
})

test.runIf(process.platform === 'linux')(
  'rejects the picture of a killed decoder, reports it and decodes the next one in a new process',
  async () => {
    const small = await picture(80, 60).png().toBuffer()
    await make(small)
    const [first] = await decoders()
    process.kill(first!, 'SIGSTOP')
    const stuck = expect(make(await heavy(2400, 2000), 'bob')).rejects.toMatchObject({ status: 413, code: 'too_large' })
    const reported = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    // wait until the picture is stored and queued for the stopped decoder
    await pause(700)
    process.kill(first!, 'SIGKILL')
    await stuck
    expect(String(reported.mock.calls)).toContain('SIGKILL')
    reported.mockRestore()
    await make(small)
    expect(await decoders()).not.toContain(first)
  },
)

test.runIf(process.platform === 'linux')('decodes in a process with a memory limit and without secrets', async () => {
  await make(await picture(80, 60).png().toBuffer())
  const [pid] = await decoders()
  expect(await readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max data size +1024000000 +1024000000/m)
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((pair) => pair.split('=')[0])
  expect(names.filter((name) => name && !/^(PATH|PWD|NODE_CHANNEL.*|MALLOC_\w+|OLDPWD|SHLVL|_)$/.test(name))).toEqual(
    [],
  )
})

test('alternates between members and limits the queued pictures of each', async () => {
  const done: string[] = []
  const slow = await picture(900, 700).png().toBuffer()
  const many = Array.from({ length: 8 }, () =>
    make(slow, 'mallory').then(
      () => done.push('mallory'),
      ({ code }) => code,
    ),
  )
  const other = make(slow, 'bob').then(() => done.push('bob'))
  const answers = await Promise.all(many)
  await other
  expect(answers.filter((answer) => answer === 'busy').length).toBeGreaterThan(0)
  expect(done.indexOf('bob')).toBeLessThan(3)
})

test('alternates between a member and all link previews together', async () => {
  const done: string[] = []
  const svg = (i: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="9${i}" height="90"/>`
  const draw = async (i: number) => drawJpeg(svg(i)).then(() => done.push('preview'))
  const previews = Array.from({ length: 8 }, (_, i) => draw(i).catch(({ code }) => code))
  await inTurn('bob', async () => done.push('bob'))
  expect(await Promise.all(previews)).toContain('busy')
  expect(done.indexOf('bob')).toBeLessThan(3)
})

test('serves only images of a bound upload, under eight names and with image headers', async () => {
  const id = /objects\/([0-9a-f-]+)/.exec(await upload(shop, ada, await picture(64, 48).png().toBuffer(), 'a.png'))![1]!
  await makeImages(shop.db, shop.storage, await findUpload(shop.db, shop.storage, { userId: ada.id, id }))
  const get = (path: string, headers = {}) => fetch(`${shop.url}/images/${path}`, { headers })
  expect((await get(`${id}/640.webp`)).status).toBe(404)

  await shop.db.transaction().execute((tx) => bindUpload(tx, { userId: ada.id, id, isImage: true }))
  const shown = await get(`${id}/640.webp`)
  expect(shown.status).toBe(200)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).width).toBe(64)
  // the first size is served for the others until the job has made them
  const early = await get(`${id}/320.avif`)
  expect([early.headers.get('content-type'), early.headers.get('cache-control')]).toEqual(['image/webp', 'no-store'])
  const { rows } = await sql<{ queued: number }>`SELECT count(*)::int AS queued FROM graphile_worker.jobs
    WHERE task_identifier = 'size_image' AND key = ${`sizes:${id}`}`.execute(shop.db)
  expect(rows).toEqual([{ queued: 1 }])
  await sizeImage(shop.db, shop.storage, id)
  const made = await shop.db.selectFrom('objects').select(['color', 'sizedAt']).where('id', '=', id).executeTakeFirst()
  expect(made).toEqual({ color: '#2740b5', sizedAt: expect.any(Date) })
  expect((await get(`${id}/320.avif`)).headers.get('content-type')).toBe('image/avif')
  expect((await get(`${id}/640.webp`, { 'if-none-match': shown.headers.get('etag')! })).status).toBe(304)
  expect((await fetch(`${shop.url}/images/${id}/640.webp`, { method: 'HEAD' })).status).toBe(200)
  // the job skips an image that it cannot resize, so that it does not block others
  await shop.db.updateTable('objects').set({ sizedAt: null }).where('id', '=', id).execute()
  const original = Buffer.concat(await (await shop.storage.open(id)).stream.toArray())
  await shop.storage.put(id, Readable.from(original.subarray(0, original.length / 2)))
  await sizeImage(shop.db, shop.storage, id)
  const givenUp = await shop.db
    .selectFrom('objects')
    .select(['color', 'sizedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(givenUp).toEqual({ ...made, sizedAt: expect.any(Date) })
  for (const path of [`${id}/1281.webp`, `${id}/640.png`, `${id}/..%2f..%2f${id}`, `${id}/`, `../${id}`, `x/640.webp`])
    expect((await get(path)).status, path).toBe(404)

  await shop.db.transaction().execute((tx) => releaseUpload(tx, id))
  expect((await get(`${id}/640.webp`)).status).toBe(404)
})

test('rejects a false image at once and stores nothing', async () => {
  const send = (url: string, body: Buffer<ArrayBuffer> | string, kind: string) =>
    fetch(url, { method: 'PUT', body, headers: { 'x-upload-kind': kind } })
  const put = async (body: Buffer<ArrayBuffer> | string, kind: string) => send(await issue(shop, ada), body, kind)
  const good = Buffer.from(await picture(80, 60).png().toBuffer())
  const before = (await shop.files()).length
  const text = await put('This is text.', 'image')
  expect(text.status).toBe(415)
  expect(await text.json()).toMatchObject({ message: 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.' })
  expect((await put(good.subarray(0, good.length / 2), 'image')).status).toBe(400)
  expect((await shop.files()).length).toBe(before)
  expect((await put(good, 'image')).status).toBe(200)
  expect((await put('This is text.', 'file')).status).toBe(200)
  const url = await issue(shop, ada)
  expect([(await send(url, 'This is text.', 'image')).status, (await send(url, good, 'image')).status]).toEqual([
    415, 403,
  ])
})
