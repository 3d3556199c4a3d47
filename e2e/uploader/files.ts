import { expect } from '../shop.ts'
import { type Bench, empty } from './page.ts'

// Reads how the uploader identifies, names, measures and sends files.

/** Adds a file twice and five that differ in one property. Returns the number of ids and the error of the duplicate. */
export async function identities(bench: Bench) {
  await empty(bench)
  return bench.live.evaluate((uppy) => {
    const fileOf = (bytes: string, lastModified: number) => new File([bytes], 'a', { lastModified })
    const first = { name: 'a.txt', type: 'text/plain', data: fileOf('a', 1), meta: { relativePath: 'x/a.txt' } }
    const add = (change: object) => {
      try {
        return uppy.addFile({ ...first, ...change })
      } catch (error) {
        return (error as Error).message
      }
    }
    const [one, again, ...others] = [
      ...[{}, {}, { name: 'b.txt' }, { type: 'text/html' }, { meta: { relativePath: 'y/a.txt' } }],
      ...[{ data: fileOf('ab', 1) }, { data: fileOf('a', 2) }],
    ].map(add)
    return { again, different: new Set([one, ...others]).size }
  })
}

/** Returns the lengths of shown names: of one file, and of two at each width, the second with an author. */
export const nameLengths = (widths: number[]) => async (bench: Bench) => {
  const { page, live } = bench
  const lengths = () =>
    page.locator('.uppy-Dashboard-Item-name').evaluateAll((names) => names.map((name) => name.textContent!.length))
  const add = (name: string, author?: object) =>
    live.evaluate(
      (uppy, [letter, meta]) =>
        void uppy.addFile({ name: `${letter.repeat(120)}.txt`, type: '', data: new File(['a'], letter), meta }),
      [name, { author }] as const,
    )
  await empty(bench)
  await add('a')
  await expect(page.locator('.uppy-Dashboard-Item-name')).toHaveCount(1)
  const found: Record<string, number[]> = { single: await lengths() }
  await add('b', { name: 'Robin', url: 'https://photos.example/robin' })
  await expect(page.locator('.uppy-Dashboard-Item-name')).toHaveCount(2)
  const inner = page.locator('.uppy-Dashboard-inner')
  for (const width of widths) {
    await inner.evaluate((element, wide) => {
      const { paddingLeft, borderLeftWidth } = getComputedStyle(element)
      const edges = 2 * (parseFloat(paddingLeft) + parseFloat(borderLeftWidth))
      element.style.width = `${wide + (getComputedStyle(element).boxSizing === 'border-box' ? edges : 0)}px`
    }, width)
    await expect
      .poll(() =>
        live.evaluate((uppy) => {
          const { plugins } = uppy.getState() as unknown as { plugins: Record<string, { containerWidth: number }> }
          return plugins.Dashboard!.containerWidth
        }),
      )
      .toBe(width)
    found[width] = await lengths()
  }
  await inner.evaluate((element) => (element.style.width = '750px'))
  return found
}

/** Returns the sizes as the uploader shows them. */
export const sizesOf =
  (...bytes: number[]) =>
  async (bench: Bench) => {
    await empty(bench)
    await bench.live.evaluate((uppy, sizes) => {
      const row = (size: number) => ({ name: `${size}`, type: '', data: { size, type: '', slice: () => new Blob() } })
      uppy.addFiles(sizes.map(row))
    }, bytes)
    await expect(bench.page.locator('.uppy-Dashboard-Item-statusSize')).toHaveCount(bytes.length)
    return bench.page.locator('.uppy-Dashboard-Item-statusSize').allTextContents()
  }

/** Sends a file in parts that reach no server. Returns how many, how large, and how many at once. */
export const partsOf = (size: number) => async (bench: Bench) => {
  await empty(bench)
  return bench.live.evaluate(async (uppy, bytes) => {
    const plugin = uppy.getPlugin('AwsS3Multipart')
    const { createMultipartUpload, signPart, uploadPartBytes, completeMultipartUpload } = plugin.opts
    let now = 0
    const sent = { parts: 0, largest: 0, atOnce: 0 }
    plugin.setOptions({
      createMultipartUpload: async () => ({ key: 'key', uploadId: 'upload' }),
      signPart: async () => ({ url: '/' }),
      uploadPartBytes: async ({ body }: { body: Blob }) => {
        sent.largest = Math.max(sent.largest, body.size)
        sent.atOnce = Math.max(sent.atOnce, ++now)
        await new Promise((done) => setTimeout(done, 5))
        now--
        return { ETag: 'a' }
      },
      completeMultipartUpload: async (_: unknown, { parts }: { parts: unknown[] }) => {
        sent.parts = parts.length
        return { location: '/' }
      },
    })
    const slice = (start: number, end: number) => ({ size: end - start })
    uppy.addFile({ name: 'film.bin', type: '', data: { size: bytes, type: '', slice } })
    await uppy.upload()
    plugin.setOptions({ createMultipartUpload, signPart, uploadPartBytes, completeMultipartUpload })
    return sent
  }, size)
}

/** Returns the number of parts of a file. The store reports all parts as present, so none is sent. */
export const partCount = (size: number) => async (bench: Bench) => {
  await empty(bench)
  return bench.live.evaluate(async (uppy, bytes) => {
    const plugin = uppy.getPlugin('AwsS3Multipart')
    const { listParts, completeMultipartUpload } = plugin.opts
    let count = 0
    plugin.setOptions({
      listParts: async () => Array.from({ length: 20_000 }, (_, i) => ({ PartNumber: i + 1, ETag: 'a' })),
      completeMultipartUpload: async (_: unknown, { parts }: { parts: unknown[] }) => {
        count = parts.length
        return { location: '/' }
      },
    })
    const data = { size: bytes, type: '', slice: () => new Blob() }
    const id = uppy.addFile({ name: 'film.bin', type: '', data })
    uppy.setFileState(id, { s3Multipart: { key: 'key', uploadId: 'upload' } })
    await uppy.upload()
    plugin.setOptions({ listParts, completeMultipartUpload })
    return count
  }, size)
}

/** Returns for each size if the uploader sends the file in parts. */
export const isParted =
  (...sizes: number[]) =>
  ({ live }: Bench) =>
    live.evaluate((uppy, given) => {
      const isOne = uppy.getPlugin('AwsS3Multipart').opts.shouldUseMultipart as (file: { size: number }) => boolean
      return given.map((size) => isOne({ size }))
    }, sizes)

const PART = /\/parts\/\d|partNumber=\d/

/** Returns the pauses before each retry of a part that failed in the network. */
export async function retryPauses(bench: Bench) {
  const { page, live } = bench
  await empty(bench)
  await page.route(PART, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  const noted = await live.evaluateHandle((uppy) => {
    const plugin = uppy.getPlugin('AwsS3Multipart')
    const { signPart, uploadPartBytes, shouldUseMultipart } = plugin.opts as Record<
      string,
      (...of: unknown[]) => Promise<unknown>
    >
    const seen = { pauses: [] as number[], isOver: false }
    let failedAt = 0
    plugin.setOptions({
      shouldUseMultipart: true,
      // each retry requests a new signature
      signPart: (...of: unknown[]) => {
        if (failedAt) seen.pauses.push(performance.now() - failedAt)
        return signPart!(...of)
      },
      uploadPartBytes: (...of: unknown[]) => uploadPartBytes!(...of).finally(() => (failedAt = performance.now())),
    })
    uppy.addFile({ name: 'row.txt', type: 'text/plain', data: new File(['twelve bytes'], 'row.txt') })
    void uppy.upload().finally(() => {
      seen.isOver = true
      plugin.setOptions({ shouldUseMultipart, signPart, uploadPartBytes })
    })
    return seen
  })
  await expect
    .poll(async () => (await page.clock.runFor(500), noted.evaluate(({ isOver }) => isOver)), { intervals: [20] })
    .toBe(true)
  await page.unroute(PART)
  return noted.evaluate(({ pauses }) => pauses.map((ms) => Math.round(ms / 100) * 100))
}

/** Returns the requests of an upload in parts, without their ids. */
export async function partRequests(bench: Bench) {
  const { page, live, shop } = bench
  await empty(bench)
  const seen: string[] = []
  const note = (request: { method: () => string; url: () => string }) => {
    const url = request.url().replace(shop.url, '')
    const isPut = request.method() === 'PUT'
    if (isPut) seen.push(`PUT ${/\/parts\/1\?|partNumber=1/.test(url) ? 'part 1' : url}`)
    else if (url.startsWith('/companion/'))
      seen.push(
        `${request.method()} ${url.replace(/multipart\/[^/?]+/, 'multipart/{uploadId}').replace(/\?key=.*/, '?key=')}`,
      )
  }
  page.on('request', note)
  await live.evaluate(async (uppy) => {
    const plugin = uppy.getPlugin('AwsS3Multipart')
    const { shouldUseMultipart } = plugin.opts
    plugin.setOptions({ shouldUseMultipart: true })
    uppy.addFile({ name: 'row.txt', type: 'text/plain', data: new File(['twelve bytes'], 'row.txt') })
    await uppy.upload()
    plugin.setOptions({ shouldUseMultipart })
  })
  page.off('request', note)
  return seen
}
