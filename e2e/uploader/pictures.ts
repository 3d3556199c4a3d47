import { type Bench, empty, type Thumbnails } from './page.ts'

// Reads how the uploader processes pictures.

/** Returns width, type and quality of each thumbnail of `count` pictures of 800 x 600. */
export const thumbnailsOf = (count: number) => async (bench: Bench) => {
  await empty(bench)
  return bench.live.evaluate(async (uppy, most) => {
    const { prototype } = HTMLCanvasElement
    const usual = prototype.toBlob
    const picture = await new Promise<Blob | null>((done) => {
      usual.call(Object.assign(document.createElement('canvas'), { width: 800, height: 600 }), done)
    })
    const encoded: unknown[] = []
    prototype.toBlob = function (done, type, quality) {
      encoded.push([this.width, type, quality])
      usual.call(this, done, type, quality)
    }
    try {
      let made = 0
      const all = new Promise<void>((done) =>
        uppy.on('thumbnail:generated', () => {
          if (++made === most) done()
        }),
      )
      uppy.addFiles(
        Array.from({ length: most }, (_, i) => ({
          name: `${i}.png`,
          type: 'image/png',
          data: new File([picture!], `${i}`),
        })),
      )
      await all
      return encoded
    } finally {
      prototype.toBlob = usual
    }
  }, count)
}

/** Returns the size of a thumbnail by a generator without a set width. */
export async function defaultThumbnail(bench: Bench) {
  await thumbnailsOf(2)(bench)
  return bench.live.evaluate(async (uppy) => {
    const generator = uppy.getPlugin<Thumbnails>('Dashboard:ThumbnailGenerator')
    const { thumbnailWidth } = generator.opts
    const [file] = uppy.getFiles()
    generator.setOptions({ thumbnailWidth: null })
    await generator.requestThumbnail(file!)
    generator.setOptions({ thumbnailWidth })
    const image = new Image()
    image.src = uppy.getFile(file!.id).preview!
    await image.decode()
    return [image.width, image.height]
  })
}

/** Returns the size at which the generator first draws a canvas of this size. */
export const cappedSize = (width: number, height: number) => (bench: Bench) =>
  bench.live.evaluate(
    (uppy, size) => {
      const { prototype } = CanvasRenderingContext2D
      const usual = prototype.drawImage as (...given: unknown[]) => void
      const drawn: unknown[][] = []
      prototype.drawImage = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
        drawn.push(given.slice(3))
        usual.apply(this, given)
      } as typeof prototype.drawImage
      const canvas = Object.assign(document.createElement('canvas'), size)
      uppy.getPlugin<Thumbnails>('Dashboard:ThumbnailGenerator').resizeImage(canvas, 280, 210)
      prototype.drawImage = usual as typeof prototype.drawImage
      return drawn[0]
    },
    { width, height },
  )

const TYPES = ['jpeg', 'gif', 'png', 'svg+xml', 'bmp', 'webp', 'avif', 'tiff', 'heic', 'x-icon']

/** Returns the types of files that get a preview. The last file is a picture from a cloud. */
export async function previewedTypes(bench: Bench) {
  await empty(bench)
  return bench.live.evaluate(async (uppy, types) => {
    const picture = await new Promise<Blob | null>((done) => document.createElement('canvas').toBlob(done))
    const bytes = await picture!.arrayBuffer()
    const files = types.map((type) => ({ name: `a.${type}`, type: `image/${type}`, data: new File([bytes], 'a') }))
    const text = { name: 'a.pdf', type: 'application/pdf', data: new File([bytes], 'a') }
    const remote = { ...files[2]!, name: 'cloud.png', isRemote: true, remote: { body: {} } }
    uppy.addFiles([...files, text, remote])
    const generator = uppy.getPlugin<Thumbnails>('Dashboard:ThumbnailGenerator')
    for (const file of uppy.getFiles()) await generator.requestThumbnail(file)
    return uppy.getFiles().flatMap(({ name, preview }) => (preview ? [name.slice(2)] : []))
  }, TYPES)
}

/** Returns the sizes of the reads that search a JPEG of 1 MB without metadata for its orientation. */
export const metadataReads = ({ live }: Bench) =>
  live.evaluate(async (uppy) => {
    const filler = new Uint8Array(65_535)
    filler.set([0xff, 0xed, 0xff, 0xfd])
    const jpeg = new File([new Uint8Array([0xff, 0xd8]), ...Array<Uint8Array<ArrayBuffer>>(16).fill(filler)], 'a.jpg')
    const reads: number[] = []
    const { prototype } = Blob
    const usual = prototype.slice
    prototype.slice = function (this: Blob, start = 0, end = this.size, ...rest) {
      if (this === jpeg) reads.push(end - start)
      return usual.call(this, start, end, ...rest)
    }
    const generator = uppy.getPlugin<Thumbnails>('Dashboard:ThumbnailGenerator')
    await generator.createThumbnail({ data: jpeg }, 280, null).catch(() => undefined)
    // the thumbnail fails before the search ends
    await new Promise((done) => setTimeout(done, 200))
    prototype.slice = usual
    return reads
  })
