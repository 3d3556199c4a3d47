import '@uppy/webcam/css/style.min.css'
import type { AwsBody } from '@uppy/aws-s3'
import type { Meta } from '@uppy/core'
import Webcam from '@uppy/webcam'
import type { ShopUploader } from './ShopUppy.client.ts'
import type { UploadKind } from './uploader.rules.ts'
import { required } from '../kit/values/required.ts'

/** Adds a tab to take a photo, or also a video for a file. Without a microphone, videos are silent. */
export async function addCamera(uppy: ShopUploader, kind: UploadKind) {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  const video = devices.some((device) => device.kind === 'audioinput') ? 'video-audio' : 'video-only'
  const target = uppy.getPlugin('Dashboard')
  if (!target) return
  uppy.use(Webcam<Meta, AwsBody>, {
    target,
    modes: kind === 'image' ? ['picture'] : [video, 'picture'],
    preferredImageMimeType: 'image/jpeg',
    videoConstraints: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
    mirror: false,
    showVideoSourceDropdown: true,
    showRecordingLength: kind === 'file',
    mobileNativeCamera: false,
  })
  const camera = required(uppy.getPlugin<Webcam<Meta, AwsBody>>('Webcam'), 'the camera')
  // the library requests access only once; retry when the member opens the panel again
  uppy.on('dashboard:show-panel', (id) => {
    if (id !== camera.id || !camera.getPluginState().cameraError) return
    camera.webcamActive = false
    camera.setPluginState({ cameraError: null })
  })
}
