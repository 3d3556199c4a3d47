import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import prettierBytes from '@transloadit/prettier-bytes'
import AwsS3 from '@uppy/aws-s3'
import { Uppy } from '@uppy/core'
import { generateFileID, isPreviewSupported, prettyETA } from '@uppy/utils'
import { expect, test } from 'vitest'
// the library does not offer its parts by name
import StatusBar from '../../node_modules/@uppy/dashboard/lib/components/StatusBar/StatusBar.js'

// The numbers of the specification, in the versions that are installed: an update that changes one shows here.

const MODULES = join(import.meta.dirname, '../../node_modules')
const FILE_INFO = '@uppy/dashboard/lib/components/FileItem/FileInfo/index.js'
const STATUS_BAR = '@uppy/dashboard/lib/components/StatusBar/StatusBar.js'
const sourceOf = (file: string) => readFileSync(join(MODULES, file), 'utf8')

test.each([
  ['a dashboard of 750 px', '@uppy/dashboard/lib/Dashboard.js', /^ {4}width: 750,$/m],
  ['and 550 px', '@uppy/dashboard/lib/Dashboard.js', /^ {4}height: 550,$/m],
  ['thumbnails of 280 px in it', '@uppy/dashboard/lib/Dashboard.js', /thumbnailWidth: 280,/],
  ['thumbnails of 200 px elsewhere', '@uppy/thumbnail-generator/lib/index.js', /defaultThumbnailDimension = 200;/],
  ['as JPEG', '@uppy/thumbnail-generator/lib/index.js', /thumbnailType: 'image\/jpeg'/],
  ['of quality 80', '@uppy/thumbnail-generator/lib/index.js', /canvasToBlob\(resizedImage, this\.thumbnailType, 80\)/],
  ['of at most five million pixels', '@uppy/thumbnail-generator/lib/index.js', /maxSquare = 5000000;/],
  ['and 4096 px a side', '@uppy/thumbnail-generator/lib/index.js', /maxSize = 4096;/],
  ['metadata in pieces of 64 KB', 'exifr/dist/mini.esm.mjs', /chunkSize:65536/],
  ['at most five of them', 'exifr/dist/mini.esm.mjs', /chunkLimit:5\}/],
  ['names of 90 characters for a single file', FILE_INFO, /isSingleFile && [^}]*?return 90;/s],
  ['of 35 in 352 px', FILE_INFO, /containerWidth <= 352\) \{\s*return 35;/],
  ['of 60 in 576 px', FILE_INFO, /containerWidth <= 576\) \{\s*return 60;/],
  ['of 20 with an author, 30 without', FILE_INFO, /author \? 20 : 30;/],
  ['parts of at least 5 MB', '@uppy/aws-s3/lib/MultipartUploader.js', /minPartSize = 5 \* MB;/],
  ['at most 10,000 parts', '@uppy/aws-s3/lib/MultipartUploader.js', /maxMultipartParts = 10_000;/],
  ['five silent minutes', '@uppy/companion-client/lib/RequestClient.js', /socketActivityTimeoutMs = 5 \* 60 \* 1000;/],
  ['ten retries', '@uppy/companion-client/lib/RequestClient.js', /retryCount = 10;/],
  ['messages of 5 s', '@uppy/core/lib/Uppy.js', /infoTimeout: 5000,/],
  ['a look at the connection after 3 s', '@uppy/core/lib/Uppy.js', /setTimeout\(this\.#updateOnlineStatus, 3000\);/],
  ['its return told for 3 s', '@uppy/core/lib/Uppy.js', /i18n\('connectedToInternet'\), 'success', 3000\);/],
  ['a start by itself after 4 ms', '@uppy/core/lib/Uppy.js', /^ {12}\}, 4\);$/m],
  ['progress every 500 ms', '@uppy/core/lib/Uppy.js', /throttle\(\(\) => this\.#updateTotalProgress\(\), 500,/],
  ['four refusals singly', '@uppy/core/lib/Uppy.js', /maxNumToShow = 4;/],
  ['messages that move for 300 ms', '@uppy/dashboard/lib/components/Informer/FadeIn.js', /TRANSITION_MS = 300;/],
  ['a time left smoothed over 2 s', STATUS_BAR, /ETAFilterHalfLife = 2000;/],
] as const)('%s of the specification holds in the installed library', (_, file, constant) => {
  expect(constant.test(sourceOf(file))).toBe(true)
})

test('six requests at once, four tries, and parts for what is larger than 100 MB', () => {
  const { limit, retryDelays, shouldUseMultipart } = new AwsS3(new Uppy(), { endpoint: '' }).opts
  expect([limit, retryDelays]).toEqual([6, [0, 1000, 3000, 5000]])
  const isParted = shouldUseMultipart as (file: { size: number }) => boolean
  expect(isParted({ size: 100 * 1024 ** 2 })).toBe(false)
  expect(isParted({ size: 100 * 1024 ** 2 + 1 })).toBe(true)
})

test('sizes count in 1024s from B to YB, time in hours, minutes and seconds', () => {
  expect([1, 1023, 1024, 5 * 1024 ** 2, 1024 ** 8].map((bytes) => prettierBytes(bytes))).toEqual([
    '1 B',
    '1023 B',
    '1 KB',
    '5 MB',
    '1 YB',
  ])
  expect([5, 65, 3725].map((seconds) => prettyETA(seconds))).toEqual(['5s', '1m 05s', '1h 02m'])
})

test('a preview is made of seven kinds of image', () => {
  for (const type of ['jpeg', 'gif', 'png', 'svg+xml', 'bmp', 'webp', 'avif'])
    expect(isPreviewSupported(`image/${type}`), type).toBe(true)
  for (const type of ['image/tiff', 'image/heic', 'application/pdf', ''])
    expect(isPreviewSupported(type), type).toBe(false)
})

test('a file is known by name, type, path, size and time of its last change', () => {
  const file = {
    name: 'a.png',
    type: 'image/png',
    data: { size: 1, lastModified: 2 },
    meta: { relativePath: 'x/a.png' },
  }
  const idOf = (change: object) => generateFileID({ ...file, ...change } as Parameters<typeof generateFileID>[0], 'u')
  expect(idOf({})).toBe(idOf({}))
  const others = [
    { name: 'b.png' },
    { type: 'image/gif' },
    { meta: { relativePath: 'y/a.png' } },
    { data: { size: 2, lastModified: 2 } },
    { data: { size: 1, lastModified: 3 } },
  ]
  expect(new Set([{}, ...others].map(idOf)).size).toBe(6)
})

const started = { uploadStarted: 1, uploadComplete: false }
const done = { uploadStarted: 1, uploadComplete: true }
const waiting = { uploadStarted: null, uploadComplete: false }
const [pre, post] = [{ preprocess: { mode: 'determinate' } }, { postprocess: { mode: 'determinate' } }]
test.each([
  ['error', { error: 'x', files: [done] }],
  ['complete', { files: [{ ...done, percentage: 100 }], isAllComplete: true }],
  ['waiting', { files: [waiting] }],
  ['waiting', { files: [started], recoveredState: { files: {} } }],
  ['uploading', { files: [done, started] }],
  [
    'preprocessing',
    {
      files: [
        { ...waiting, ...pre },
        { ...done, ...post },
      ],
    },
  ],
  ['postprocessing', { files: [{ ...done, ...post }] }],
] as const)(
  'the status bar: error wins over complete, complete over waiting, started means uploading: %s',
  (state, given) => {
    const {
      files,
      error = null,
      recoveredState = null,
      isAllComplete = false,
    } = {
      ...(given as { files: readonly object[]; error?: string; recoveredState?: object; isAllComplete?: boolean }),
    }
    const uppy = {
      getState: () => ({
        capabilities: {},
        files: Object.fromEntries(files.map((progress, id) => [id, { id, progress }])),
        allowNewUpload: true,
        totalProgress: 0,
        error,
        recoveredState,
      }),
      getObjectOfFilesPerState: () => ({
        newFiles: [],
        startedFiles: [],
        completeFiles: [],
        inProgressNotPausedFiles: [],
        isAllComplete,
      }),
    }
    const bar = new StatusBar({ uppy } as never)
    bar.props = { uppy } as never
    expect((bar.render() as { props: { uploadState: string } }).props.uploadState).toBe(state)
  },
)
