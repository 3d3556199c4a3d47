import type { Archive } from './unzip.client.ts'

const PICTURES: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml' },
  ...{ gif: 'image/gif', webp: 'image/webp', avif: 'image/avif' },
}

/** Opens pictures as object URLs, each once. `close` frees them. */
export function openPictures({ find, read }: Archive) {
  const opened = new Map<string, Promise<string | null>>()
  const drawn = new Map<string, string>()
  let isClosed = false
  const addressOf = (bytes: BlobPart, type: string) => URL.createObjectURL(new Blob([bytes], { type }))
  return {
    open(path: string): Promise<string | null> {
      const type = PICTURES[path.split('.').at(-1)?.toLowerCase() ?? '']
      if (!type || !find(path)) return Promise.resolve(null)
      const known =
        opened.get(path) ??
        read(path).then(
          (bytes) => (bytes && !isClosed ? addressOf(bytes, type) : null),
          () => null,
        )
      opened.set(path, known)
      return known
    },
    draw(svg: string): string {
      const address = drawn.get(svg) ?? (isClosed ? '' : addressOf(svg, 'image/svg+xml'))
      drawn.set(svg, address)
      return address
    },
    close() {
      isClosed = true
      for (const address of drawn.values()) URL.revokeObjectURL(address)
      for (const picture of opened.values())
        void picture.then((address) => address !== null && URL.revokeObjectURL(address))
    },
  }
}
