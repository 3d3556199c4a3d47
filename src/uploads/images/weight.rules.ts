// The memory for decoding a picture, measured with sharp's libraries (decision 0039).

/** Two pictures are decoded at once with this memory each, or a large one alone with the memory of both. */
const SHARE_MB = 64
const BASE_MB = 20
const MAX_MEGAPIXELS = 40

export type Head = {
  width: number
  height: number
  format?: string
  isProgressive?: boolean
  chromaSubsampling?: string
  channels?: number
  depth?: string
}

type Kind = { name: string; bytesPerPixel: number }

/** JPEG, PNG and WebP decode row by row. Progressive pictures and other formats need memory for the whole picture. */
function kindOf({ format, isProgressive = false, chromaSubsampling, channels = 3, depth }: Head): Kind {
  const depthBytes = depth === 'ushort' ? 2 : 1
  if (format === 'heif') return { name: 'AVIF', bytesPerPixel: 17.5 * depthBytes }
  if (format === 'gif') return { name: 'GIF', bytesPerPixel: 6.5 }
  if (format === 'png')
    return isProgressive
      ? { name: 'PNG that is interlaced', bytesPerPixel: (channels + 0.8) * depthBytes }
      : { name: 'PNG', bytesPerPixel: 0.35 * channels * depthBytes }
  if (!isProgressive) return { name: 'picture', bytesPerPixel: 0.2 }
  return { name: 'JPEG that is progressive', bytesPerPixel: chromaSubsampling === '4:2:0' ? 3 : 6 }
}

/** `tooMany`: the picture exceeds the megapixels of its kind. `isLarge`: it must be decoded alone. */
export function weigh(head: Head): { tooMany?: { megapixels: number; of: string }; isLarge: boolean } {
  const pixels = (head.width * head.height) / 1_000_000
  const { name, bytesPerPixel } = kindOf(head)
  // the idle decoder still needs its base
  const megapixels = Math.min(MAX_MEGAPIXELS, Math.floor((2 * SHARE_MB - 2 * BASE_MB) / bytesPerPixel))
  if (pixels > megapixels) return { tooMany: { megapixels, of: name }, isLarge: true }
  return { isLarge: BASE_MB + pixels * bytesPerPixel > SHARE_MB }
}
