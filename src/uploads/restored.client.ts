import GoldenRetriever from '@uppy/golden-retriever'
import type { ShopFile } from './parts/parts.client.ts'
import type { ShopUploader } from './ShopUppy.client.ts'

/** Restores the files of an interrupted upload, where the browser stores data. */
export function restoreFiles(uppy: ShopUploader) {
  if (!canStore()) return
  addAgainAfterRestore(uppy)
  uppy.use(GoldenRetriever)
}

/** The library reads the stored files slowly and then replaces all files, also those that were added meanwhile. */
function addAgainAfterRestore(uppy: ShopUploader) {
  const added = new Map<string, ShopFile>()
  const add = (file: ShopFile) => void added.set(file.id, file)
  const remove = (file: ShopFile) => void added.delete(file.id)
  uppy.on('file-added', add)
  uppy.on('file-removed', remove)
  uppy.once('restored', () => {
    uppy.off('file-added', add)
    uppy.off('file-removed', remove)
    const lost = [...added.values()].filter(({ id }) => !uppy.getFile(id))
    if (lost.length === 0) return
    // the new file replaces the stored one
    if (uppy.opts.restrictions.maxNumberOfFiles === 1) uppy.removeFiles(uppy.getFiles().map(({ id }) => id))
    uppy.addFiles(lost.map(({ name, type, data, source }) => ({ name, type, data: data as File, source })))
  })
}

function canStore(): boolean {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}
