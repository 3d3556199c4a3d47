import '@uppy/core/css/style.min.css'
import '@uppy/dashboard/css/style.css'
import './uploader.css'
import Dashboard from '@uppy/dashboard'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../identity/sessions/useSession.ts'
import { Button } from '../ui/Button.tsx'
import { addPanels, hasCameraApp } from './panels.client.ts'
import type { ShopFile } from './parts/parts.client.ts'
import { createUppy, type ShopUploader } from './ShopUppy.client.ts'
import { uploaderId } from './parts/stopped.client.ts'
import { readTerms } from './terms.client.ts'
import { kindOf, type Uploaded, type UploadKind, type UploadUse } from './uploader.rules.ts'
import { firstOf, required } from '../kit/values/required.ts'

// Loaded when an uploader opens, because the library is as large as the rest of the browser code.

const META_FIELDS = [{ id: 'name', name: 'Name', placeholder: 'File name' }]

type UploaderProps = {
  use: UploadUse
  most: number
  title: string
  onUploaded: (upload: Uploaded) => void
  onDone: () => void
}

export function Uploader({ use, most, title, onUploaded, onDone }: UploaderProps) {
  const userId = useSession().user?.id ?? ''
  const place = useRef<HTMLDivElement>(null)
  const uploader = useRef<ShopUploader>(null)
  // constant, because a change would restart a running upload
  const [atOpening] = useState(most)
  const [problems, setProblems] = useState(0)
  const notifyUploaded = useEffectEvent(onUploaded)
  const notifyDone = useEffectEvent(onDone)
  useEffect(() => {
    const target = required(place.current, 'the place of the uploader')
    const kind = kindOf(use)
    const uppy = createUppy(use, { id: uploaderId(title, userId), most: atOpening })
    uploader.current = uppy
    uppy.on('state-update', () => setProblems(uppy.countProblems()))
    uppy.use(Dashboard, {
      inline: true,
      target,
      width: 750,
      height: 550,
      note: readTerms(use).note,
      metaFields: META_FIELDS,
      fileManagerSelectionType: kind === 'image' ? 'files' : 'both',
      showLinkToFileUploadResult: true,
      showNativePhotoCameraButton: hasCameraApp(),
      showNativeVideoCameraButton: kind === 'file' && hasCameraApp(),
      proudlyDisplayPoweredByUppy: false,
      doneButtonHandler: () => notifyDone(),
      theme: document.documentElement.dataset.mode === 'dark' ? 'dark' : 'light',
    })
    addPanels(uppy, kind, userId)
    uppy.on('upload-success', (file, { uploadURL }) => {
      if (file && uploadURL) notifyUploaded(describe(kind, file, uploadURL))
    })
    const watch = new MutationObserver(() => nameParts(target))
    watch.observe(target, { childList: true, subtree: true })
    const copy = (event: MouseEvent) => copyLink(uppy, event)
    target.addEventListener('click', copy, true)
    return () => {
      target.removeEventListener('click', copy, true)
      watch.disconnect()
      uppy.leave()
    }
  }, [use, atOpening, title, userId])
  return (
    <>
      <div ref={place} className="uploader" />
      {problems > 0 && (
        <Button tone="quiet" className="self-start" onClick={() => uploader.current?.closeProblems()}>
          {problems === 1 ? 'Close the message' : 'Close the messages'}
        </Button>
      )}
    </>
  )
}

/** Fixes ARIA errors of the library: a list item without a list, and a label with the role of a tooltip. */
function nameParts(target: HTMLElement) {
  target.querySelector('.uppy-Dashboard-files:not([role])')?.setAttribute('role', 'list')
  target.querySelector('label[role=tooltip]')?.removeAttribute('role')
}

/** Copies the link itself: the library copies from a field outside the dialog, which cannot get the focus. */
function copyLink(uppy: ShopUploader, event: MouseEvent) {
  if (!(event.target as Element).closest('.uppy-Dashboard-Item-action--copyLink')) return
  event.stopPropagation()
  const url = required(firstOf(uppy.getFiles()).uploadURL, 'the URL of the upload')
  const { i18n } = required(uppy.getPlugin('Dashboard'), 'the dashboard')
  const fail = () => void window.prompt(i18n('copyLinkToClipboardFallback'), url)
  // the clipboard is available only with TLS
  if (!('clipboard' in navigator)) return fail()
  navigator.clipboard.writeText(url).then(() => uppy.info(i18n('copyLinkToClipboardSuccess'), 'info', 3000), fail)
}

function describe(kind: UploadKind, file: ShopFile, url: string): Uploaded {
  const previewUrl = kind === 'image' && file.data instanceof Blob ? URL.createObjectURL(file.data) : null
  return { url, name: file.meta.name, sizeBytes: file.size ?? 0, previewUrl }
}
