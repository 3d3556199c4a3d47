import '@uppy/url/css/style.min.css'
import GoldenRetriever from '@uppy/golden-retriever'
import { addLinkTab } from './LinkTab.client.ts'
import type { ShopUploader } from './ShopUppy.client.ts'
import type { UploadKind } from './uploader.rules.ts'

/** Phones and tablets have a camera app, which the uploader's own area opens. */
export const hasCameraApp = () => matchMedia('(pointer: coarse)').matches

/**
 * Adds the panels for links, camera and editor, and restores the files that were chosen before the page was left. Large
 * parts load on use.
 */
export function addPanels(uppy: ShopUploader, kind: UploadKind) {
  addLinkTab(uppy, kind)
  if (!hasCameraApp() && navigator.mediaDevices)
    void import('./camera.client.ts').then(({ addCamera }) => addCamera(uppy, kind)).catch(() => undefined)
  const edit = () => {
    if (uppy.getFiles().some(({ type }) => type?.startsWith('image/')))
      void import('./editor.client.ts').then(({ addEditor }) => addEditor(uppy)).catch(() => undefined)
  }
  uppy.on('file-added', edit)
  uppy.on('restored', edit)
  if (canKeep()) uppy.use(GoldenRetriever)
}

function canKeep(): boolean {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}
