import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import prettierBytes from '@transloadit/prettier-bytes'
import AwsS3 from '@uppy/aws-s3'
import { Uppy } from '@uppy/core'
import { generateFileID, isPreviewSupported, prettyETA } from '@uppy/utils'
import { expect, test } from 'vitest'
// the library exports no components by name
import StatusBar from '../../node_modules/@uppy/dashboard/lib/components/StatusBar/StatusBar.js'

// The values that the specification names, checked against the installed versions of the library.

const MODULES = join(import.meta.dirname, '../../node_modules')
const FILE_INFO = '@uppy/dashboard/lib/components/FileItem/FileInfo/index.js'
const STATUS_BAR = '@uppy/dashboard/lib/components/StatusBar/StatusBar.js'
const sourceOf = (file: string) => readFileSync(join(MODULES, file), 'utf8')

test.each([
  ['a dashboard width of 750 px', '@uppy/dashboard/lib/Dashboard.js', /^ {4}width: 750,$/m],
  ['a dashboard height of 550 px', '@uppy/dashboard/lib/Dashboard.js', /^ {4}height: 550,$/m],
  ['dashboard thumbnails of 280 px', '@uppy/dashboard/lib/Dashboard.js', /thumbnailWidth: 280,/],
  ['other thumbnails of 200 px', '@uppy/thumbnail-generator/lib/index.js', /defaultThumbnailDimension = 200;/],
  ['thumbnails as JPEG', '@uppy/thumbnail-generator/lib/index.js', /thumbnailType: 'image\/jpeg'/],
  [
    'thumbnails of quality 80',
    '@uppy/thumbnail-generator/lib/index.js',
    /canvasToBlob\(resizedImage, this\.thumbnailType, 80\)/,
  ],
  ['thumbnails of at most five million pixels', '@uppy/thumbnail-generator/lib/index.js', /maxSquare = 5000000;/],
  ['thumbnail sources of at most 4096 px a side', '@uppy/thumbnail-generator/lib/index.js', /maxSize = 4096;/],
  ['metadata in chunks of 64 KB', 'exifr/dist/mini.esm.mjs', /chunkSize:65536/],
  ['at most five metadata chunks', 'exifr/dist/mini.esm.mjs', /chunkLimit:5\}/],
  ['names of 90 characters for a single file', FILE_INFO, /isSingleFile && [^}]*?return 90;/s],
  ['names of 35 characters in 352 px', FILE_INFO, /containerWidth <= 352\) \{\s*return 35;/],
  ['names of 60 characters in 576 px', FILE_INFO, /containerWidth <= 576\) \{\s*return 60;/],
  ['names of 20 characters with an author, 30 without', FILE_INFO, /author \? 20 : 30;/],
  ['parts of at least 5 MB', '@uppy/aws-s3/lib/MultipartUploader.js', /minPartSize = 5 \* MB;/],
  ['at most 10,000 parts', '@uppy/aws-s3/lib/MultipartUploader.js', /maxMultipartParts = 10_000;/],
  [
    'a socket timeout of five minutes',
    '@uppy/companion-client/lib/RequestClient.js',
    /socketActivityTimeoutMs = 5 \* 60 \* 1000;/,
  ],
  ['ten retries', '@uppy/companion-client/lib/RequestClient.js', /retryCount = 10;/],
  ['messages of 5 s', '@uppy/core/lib/Uppy.js', /infoTimeout: 5000,/],
  ['a connection check after 3 s', '@uppy/core/lib/Uppy.js', /setTimeout\(this\.#updateOnlineStatus, 3000\);/],
  ['a notice of the connection for 3 s', '@uppy/core/lib/Uppy.js', /i18n\('connectedToInternet'\), 'success', 3000\);/],
  ['an automatic start after 4 ms', '@uppy/core/lib/Uppy.js', /^ {12}\}, 4\);$/m],
  ['progress every 500 ms', '@uppy/core/lib/Uppy.js', /throttle\(\(\) => this\.#updateTotalProgress\(\), 500,/],
  ['four separate refusals', '@uppy/core/lib/Uppy.js', /maxNumToShow = 4;/],
  ['message transitions of 300 ms', '@uppy/dashboard/lib/components/Informer/FadeIn.js', /TRANSITION_MS = 300;/],
  ['a remaining time smoothed over 2 s', STATUS_BAR, /ETAFilterHalfLife = 2000;/],
] as const)('the installed library has %s as specified', (_, file, constant) => {
  expect(constant.test(sourceOf(file))).toBe(true)
})

test('makes six requests at once, tries four times, and splits files over 100 MB', () => {
  const { limit, retryDelays, shouldUseMultipart } = new AwsS3(new Uppy(), { endpoint: '' }).opts
  expect([limit, retryDelays]).toEqual([6, [0, 1000, 3000, 5000]])
  const isParted = shouldUseMultipart as (file: { size: number }) => boolean
  expect(isParted({ size: 100 * 1024 ** 2 })).toBe(false)
  expect(isParted({ size: 100 * 1024 ** 2 + 1 })).toBe(true)
})

test('shows sizes in powers of 1024 from B to YB, and time in hours, minutes and seconds', () => {
  expect([1, 1023, 1024, 5 * 1024 ** 2, 1024 ** 8].map((bytes) => prettierBytes(bytes))).toEqual([
    '1 B',
    '1023 B',
    '1 KB',
    '5 MB',
    '1 YB',
  ])
  expect([5, 65, 3725].map((seconds) => prettyETA(seconds))).toEqual(['5s', '1m 05s', '1h 02m'])
})

test('previews seven image types', () => {
  for (const type of ['jpeg', 'gif', 'png', 'svg+xml', 'bmp', 'webp', 'avif'])
    expect(isPreviewSupported(`image/${type}`), type).toBe(true)
  for (const type of ['image/tiff', 'image/heic', 'application/pdf', ''])
    expect(isPreviewSupported(type), type).toBe(false)
})

test('identifies a file by name, type, path, size and modification time', () => {
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
] as const)('the status bar shows the state with the highest priority: %s', (state, given) => {
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
})
