import '@uppy/image-editor/css/style.min.css'
import ImageEditor from '@uppy/image-editor'
import type { ShopUploader } from './ShopUppy.client.ts'

export function addEditor(uppy: ShopUploader) {
  const target = uppy.getPlugin('Dashboard')
  if (uppy.getPlugin('ImageEditor') || !target) return
  // browsers rotate photos themselves; the page's policy blocks the way in which the library reads them again
  uppy.use(ImageEditor, { target, quality: 0.9, cropperOptions: { checkOrientation: false } })
}
