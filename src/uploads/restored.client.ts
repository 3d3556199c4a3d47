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
  // the user may have renamed or edited a file
  const update = () => {
    for (const file of uppy.getFiles()) if (added.has(file.id)) add(file)
  }
  uppy.on('file-added', add)
  uppy.on('file-removed', remove)
  uppy.on('state-update', update)
  uppy.once('restored', () => {
    uppy.off('file-added', add)
    uppy.off('file-removed', remove)
    uppy.off('state-update', update)
    const lost = [...added.values()].filter(({ id }) => !uppy.getFile(id))
    if (lost.length === 0) return
    // the new file replaces the stored one
    if (uppy.opts.restrictions.maxNumberOfFiles === 1) uppy.removeFiles(uppy.getFiles().map(({ id }) => id))
    uppy.addFiles(lost.map(({ name, type, data, source, meta }) => ({ name, type, data: data as File, source, meta })))
    // the library adds each file under its first name
    for (const { id, meta } of lost) uppy.setFileMeta(id, { name: meta.name })
  })
}

function canStore(): boolean {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}
