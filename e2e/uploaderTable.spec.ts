import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CLOUD_CLIENT } from '../sandbox/clouds/clouds.ts'
import { join } from './ownShop.ts'
import { expect, forgive, ONCE, test } from './shop.ts'
import { finishedImport, goneNode, refusedFile, refusedSignIn, silentNode } from './uploader/clouds.ts'
import {
  identities,
  isParted,
  nameLengths,
  partCount,
  partRequests,
  partsOf,
  retryPauses,
  sizesOf,
} from './uploader/files.ts'
import * as messages from './uploader/messages.ts'
import { type Bench, type Kind, liveOf, openUploader } from './uploader/page.ts'
import { cappedSize, defaultThumbnail, metadataReads, previewedTypes, thumbnailsOf } from './uploader/pictures.ts'
import * as progress from './uploader/progress.ts'
import { startStoreShop, type StoreShop, STORES } from './uploader/stores.ts'

// Checks the constants and texts of the specification in a running uploader, on both stores. The rows run in this order
// in one uploader of each kind. e2e/parts.spec.ts checks six parts at once and ghosts with real files.

const MB = 1024 * 1024
const { refusedBy, refusedChoice, failsWhen } = messages
const { barOf, restOf } = progress

const NETWORK = 'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.'
const FILE = [
  'id',
  'name',
  'extension',
  'type',
  'size',
  'meta',
  'data',
  'source',
  'preview',
  'progress',
  'isGhost',
  'isRemote',
]
const PROGRESS = ['percentage', 'bytesUploaded', 'bytesTotal', 'uploadComplete', 'uploadStarted']
const STATE = [
  'files',
  'currentUploads',
  'totalProgress',
  'allowNewUpload',
  'error',
  'recoveredState',
  'capabilities',
  'meta',
  'info',
]
const RECOVERED = { recoveredState: { files: {} } }

type TableRow = [name: string, says: unknown, read: (bench: Bench) => Promise<unknown>]

async function boxOf({ page }: Bench) {
  const { width, height } = (await page.locator('.uppy-Dashboard-inner').boundingBox())!
  return [Math.round(width), Math.round(height)]
}

const optionOf =
  (name: string) =>
  ({ live }: Bench) =>
    live.evaluate((uppy, option) => uppy.opts[option], name)

const IMAGES: TableRow[] = [
  ['a picture over 5 MB', ['a.png exceeds maximum allowed size of 5 MB'], messages.refusedSize('a.png', 5 * MB + 1)],
  ['a file that is no picture', ['You can only upload: image/*'], refusedChoice('a.pdf', 'application/pdf', 10)],
  ['the thumbnails of several pictures', Array(2).fill([280, 'image/jpeg', 80]), thumbnailsOf(2)],
  ['the thumbnail without a given width', [200, 150], defaultThumbnail],
  ['pictures of five million pixels', [2738, 1825], cappedSize(3000, 2000)],
  ['wide pictures', [4096, 410], cappedSize(6000, 600)],
  ['high pictures', [410, 4096], cappedSize(600, 6000)],
  // at most five reads of 64 KB; src/uploads/constants.client.test.ts explains the smaller number
  ['reads of metadata', [40_000], metadataReads],
  ['a picture that takes the shop too much memory', 'Image uploaded successfully!', messages.largePicture],
]

const FILES: TableRow[] = [
  ['the size of the dashboard', [750, 550], boxOf],
  ['a file over 100 MB', ['a.bin exceeds maximum allowed size of 100 MB'], messages.refusedSize('a.bin', 100 * MB + 1)],
  ['pictures with a preview', ['jpeg', 'gif', 'png', 'svg+xml', 'bmp', 'webp', 'avif'], previewedTypes],
  [
    'the identity of a file',
    { again: "Cannot add the duplicate file 'a.txt', it already exists", different: 6 },
    identities,
  ],
  [
    'shown names',
    { single: [90], 352: [35, 35], 353: [60, 60], 576: [60, 60], 577: [30, 20] },
    nameLengths([352, 353, 576, 577]),
  ],
  [
    'shown sizes',
    ['1 B', '1023 B', '1 KB', '5 MB', '1 GB', '1 TB', '1 PB', '1 EB', '1 ZB', '1 YB'],
    sizesOf(1, 1023, 1024, 5 * MB, 1024 ** 3, 1024 ** 4, 1024 ** 5, 1024 ** 6, 1024 ** 7, 1024 ** 8),
  ],
  ['the fields of a file and of the uploader', [[], [], []], progress.fieldsOf(FILE, PROGRESS, STATE)],
  ['a ghost among the files', [true, false], progress.startWithGhost],

  ['parts above 100 MB', [false, true], isParted(100 * MB, 100 * MB + 1)],
  ['parts of 5 MB, six at once', { parts: 21, largest: 5 * MB, atOnce: 6 }, partsOf(101 * MB)],
  ['ten thousand parts', 10_000, partCount(60_000 * MB)],
  ['pauses before a part is sent again', [0, 1000, 3000, 5000], retryPauses],
  [
    'requests of an upload in parts',
    [
      'POST /companion/s3/multipart',
      'GET /companion/s3/multipart/{uploadId}/1?key=',
      'PUT part 1',
      'POST /companion/s3/multipart/{uploadId}/complete?key=',
    ],
    partRequests,
  ],

  ['the time of a message', 5000, optionOf('infoTimeout')],
  ['the time of a notice', [5000], progress.noticeStays],
  ['the motion of a message', [300], progress.leavingTime],
  ['the check of the connection', [3000], progress.connectionCheck],
  ['the start of an upload that starts by itself', [4], progress.ownStart],
  ['the total progress', [0, 500, 1000], progress.progressTimes],
  ['hours, minutes and seconds', ['1h 02m'], restOf(3_726_000, [[1000, 1000]])],
  ['minutes and seconds', ['1m 05s'], restOf(66_000, [[1000, 1000]])],
  [
    'the remaining time over 2 s',
    ['9s', '5s'],
    restOf(100_000, [
      [1000, 10_000],
      [2000, 50_000],
    ]),
  ],

  ['the bar of an error', 'error', barOf(['complete', 'started'], { error: 'a reason' })],
  ['the bar of complete files', 'complete', barOf(['complete', 'complete'], { totalProgress: 100, ...RECOVERED })],
  ['the bar of a restored session', 'waiting', barOf(['started', 'started'], RECOVERED)],
  ['the bar of new files', 'waiting', barOf(['new', 'new'])],
  ['the bar of a started file', 'uploading', barOf(['preprocessed', 'started'])],
  ['the bar of a prepared file', 'preprocessing', barOf(['postprocessed', 'preprocessed'])],
  ['the bar of files after their upload', 'postprocessing', barOf(['postprocessed', 'postprocessed'])],

  ['too many files', ['You can only upload 1 file'], refusedBy({ maxNumberOfFiles: 1 }, 'two')],
  ['a large file', ['row.txt exceeds maximum allowed size of 10 B'], refusedBy({ maxFileSize: 10 }, 'one')],
  ['a small file', ['This file is smaller than the allowed size of 1000 B'], refusedBy({ minFileSize: 1000 }, 'one')],
  ['a type', ['You can only upload: image/*'], refusedBy({ allowedFileTypes: ['image/*'] }, 'one')],
  [
    'a large sum',
    ['You selected 12 B of files, but maximum allowed size is 10 B'],
    refusedBy({ maxTotalFileSize: 10 }, 'one'),
  ],
  ['a duplicate', ["Cannot add the duplicate file 'row.txt', it already exists"], refusedBy({}, 'twice')],
  [
    'four refusals one by one',
    [
      ...[1, 2, 3, 4].map((n) => `${n}.txt exceeds maximum allowed size of 10 B`),
      '3 additional restrictions were not fulfilled',
    ],
    refusedBy({ maxFileSize: 10 }, 'seven'),
  ],
  ['errors inside', ['Failed to add 2 files due to internal errors'], refusedBy({}, 'broken')],
  ['too few files', ['You have to select at least 2 files'], refusedBy({ minNumberOfFiles: 2 }, 'upload')],
  ['a missing field', ['Missing required meta fields'], refusedBy({ requiredMetaFields: ['name'] }, 'upload')],
  ['a missing field of a file', 'Missing required meta fields in row.txt', messages.missingField],
  ['a hook', 'Not starting the upload because onBeforeUpload returned false', messages.stoppedByHook],
  ['a part without a key', 'Cannot sign without a key, an uploadId, and a partNumber', messages.unnamedPart],
  [
    'a file and a start during an upload',
    { file: ['Cannot add more files'], start: 'Cannot create a new upload: already uploading.' },
    messages.whileUploading,
  ],

  ['an expired URL', 'Request has expired', failsWhen(messages.expire)],
  ['a forged URL', expect.stringMatching(/^The request signature .*does not match/), failsWhen(messages.forge)],
  ['a refusal without a reason', 'Non 2xx', failsWhen(messages.refuse)],
  ['a network that is cut', NETWORK, failsWhen(messages.cut)],
  ['a reason of the shop', 'You can upload 1 MB within a day. Please try again tomorrow.', messages.aboveDailyBytes],
  ['a lost connection', { lost: true, shown: 1, stays: [3000] }, messages.connectionNotices],
]

const CLOUDS: TableRow[] = [
  ['a refused sign-in', 'Authentication aborted', refusedSignIn],
  ['a refused file of a cloud', 'Please choose another file.', refusedFile],
  ['a silent socket', { isEarly: false, says: 'Timeout waiting for message from Companion socket' }, silentNode],
  ['ten retries', { retries: 10, says: 'Connection with Companion failed' }, goneNode],
  ['a node that is back', 'Digital file uploaded successfully!', finishedImport],
  // last, because the page opens sign-in after it
  ['a session that ended', 'Authorization required', messages.withoutSession],
]

const TABLE: [Kind, TableRow[]][] = [
  ['Product image', IMAGES],
  ['Digital file', [...FILES, ...CLOUDS]],
]

for (const store of STORES)
  test.describe(store, () => {
    let shop: StoreShop | undefined
    const folder = mkdtempSync(pathOf(tmpdir(), 'primo-table-'))
    test.beforeAll(async () => {
      const standIn = pathToFileURL(pathOf(import.meta.dirname, '../sandbox/clouds/shop.ts')).href
      shop = await startStoreShop(store, folder, {
        ...{ NODE_OPTIONS: `--import=${standIn}`, UPLOAD_MB_PER_DAY: '1' },
        ...{ COMPANION_DRIVE_KEY: CLOUD_CLIENT.key, COMPANION_DRIVE_SECRET: CLOUD_CLIENT.secret },
      })
    })
    test.afterAll(async () => {
      await shop?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test(
      `the uploader shows the constants and texts of the specification: ${store}`,
      { tag: ONCE },
      async ({ page, context, faults }) => {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.clock.install()
        await join(context.request, shop!.url)
        for (const [kind, rows] of TABLE) {
          await openUploader(page, shop!.url, kind)
          const bench = { page, shop: shop!, kind, live: await liveOf(page) }
          for (const [name, says, read] of rows)
            await test.step(name, async () => expect.soft(await read(bench), name).toEqual(says))
        }
        forgive(faults, /net::ERR_(FAILED|ABORTED|INTERNET_DISCONNECTED)|status of 4(00|04|29)/)
      },
    )
  })
