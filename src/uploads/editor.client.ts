import '@uppy/image-editor/css/style.min.css'
import ImageEditor from '@uppy/image-editor'
import type { ShopUploader } from './ShopUppy.client.ts'

/** A panel that crops, turns and mirrors the chosen picture. */
export function addEditor(uppy: ShopUploader) {
  const target = uppy.getPlugin('Dashboard')
  if (uppy.getPlugin('ImageEditor') || !target) return
  // browsers turn photos upright by themselves; asked to, the library would read them anew, which the page forbids
  uppy.use(ImageEditor, { target, quality: 0.9, cropperOptions: { checkOrientation: false } })
}
