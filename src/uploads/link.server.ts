import { PassThrough, pipeline } from 'node:stream'
import { parseJson } from '../kit/serve/body.server.ts'
import { Failure } from '../kit/failure.ts'
import { type FetchedResponse, openOutside, type Reach } from '../kit/outside/fetchOutside.server.ts'
import { type Answer, handle, handleRaw, type MemberPage, type Page, type Route } from '../kit/handle.server.ts'
import { COMMON, PERSONAL } from '../kit/serve/headers.server.ts'
import { log } from '../kit/log/log.server.ts'
import { originOf } from './address.server.ts'
import { addUpload, checkDailyQuota, whileCounted } from './budget/budget.server.ts'
import { storeUpload, type UploadContext } from './keep.server.ts'
import { forgetUpload } from './quarantine.server.ts'
import { nameOfLink } from './fileName.rules.ts'
import { tooLarge } from './storing.server.ts'
import { describeLink, importLink, type LinkProgress, LinkToImport, MAX_IMAGE_BYTES } from './uploads.contract.ts'
import { firstOf } from '../kit/values/required.ts'

// Imports files by URL. The server downloads them, which saves the member's mobile data.

const MAX_MS = 15 * 60_000
const LIFE_SECONDS = 3600
const PROGRESS_EVERY_MS = 500

type Options = UploadContext & { reach: Reach | undefined }

export function linkRoutes(options: Options): Route[] {
  return [
    handle(
      describeLink,
      { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
      async ({ url }) => {
        const found = await openOutside(url, { signal: AbortSignal.timeout(MAX_MS), ...reachOf(options) })
        found.response.destroy()
        const { name, type, size } = describe(found)
        return { name, type: type ?? undefined, size: size ?? undefined }
      },
    ),
    handleRaw(
      importLink.line,
      {
        access: importLink.access,
        about: importLink.about,
        body: 'bytes',
        limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }],
      },
      (page) =>
        new Promise<Answer>((answer, refuse) => {
          // an error before the first byte is a normal response, a later error a line of the streamed response
          whileCounted(page.db, page.user.id, () => importFrom(options, page, answer)).catch(refuse)
        }),
    ),
  ]
}

const reachOf = ({ reach }: Options) => (reach ? { reach } : {})

async function importFrom(options: Options, page: MemberPage, answer: (answer: Answer) => void) {
  const { url, kind } = readBody(page)
  const userId = page.user.id
  const maxBytes = kind === 'image' ? Math.min(MAX_IMAGE_BYTES, options.maxBytes) : options.maxBytes
  await checkDailyQuota(page.db, options, userId)
  const signal = AbortSignal.any([page.signal, AbortSignal.timeout(MAX_MS)])
  const found = await openOutside(url, { signal, ...reachOf(options) })
  try {
    const { name, size } = describe(found)
    if (size !== null && size > maxBytes) throw tooLarge(maxBytes)
    if (!['identity', ''].includes(found.response.headers['content-encoding'] ?? ''))
      throw new Failure(400, 'The other server sent something we can’t read.', 'encoded')
    const { id } = await page.db
      .transaction()
      .execute((tx) =>
        addUpload(tx, options, { userId, fileName: name, announcedBytes: size || maxBytes, lifeSeconds: LIFE_SECONDS }),
      )
    const lines = new PassThrough().on('error', () => undefined)
    answer({
      status: 200,
      headers: { ...COMMON, 'content-type': 'application/x-ndjson', 'cache-control': PERSONAL },
      body: lines,
    })
    const report = (line: LinkProgress) => lines.write(`${JSON.stringify(line)}\n`)
    report(await download(options, page, found, { id, isImage: kind === 'image', maxBytes, report }).catch(problemOf))
    lines.end()
  } finally {
    found.response.destroy()
  }
}

function readBody({ body, header }: Page): LinkToImport {
  if (!/^application\/json\b/.test(header('content-type') ?? '')) throw new Failure(415, 'The body must be JSON.')
  const read = LinkToImport.safeParse(parseJson(body))
  if (!read.success) throw new Failure(400, firstOf(read.error.issues).message, 'invalid')
  return read.data
}

const describe = ({ url, response: { headers } }: FetchedResponse) => {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const length = headers['content-length']
  return {
    name: nameOfLink(url, headers['content-disposition']),
    // ignore octet-stream, which servers send for unknown types
    type: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) && type !== 'application/octet-stream' ? type : null,
    size: length && /^\d{1,15}$/.test(length) ? Number(length) : null,
  }
}

type Download = { id: string; isImage: boolean; maxBytes: number; report: (line: LinkProgress) => void }

async function download(
  options: Options,
  { db, user, header }: MemberPage,
  found: FetchedResponse,
  { id, isImage, maxBytes, report }: Download,
): Promise<LinkProgress> {
  const { name, type, size } = describe(found)
  let bytesUploaded = 0
  const counted = pipeline(found.response, new PassThrough(), () => undefined)
  found.response.on('data', ({ length }: Buffer) => (bytesUploaded += length))
  const clock = setInterval(() => report({ bytesUploaded, bytesTotal: size }), PROGRESS_EVERY_MS)
  try {
    const claim = { isImage, fileName: name, contentType: type }
    if (!(await storeUpload(db, options.storage, { id, userId: user.id, stream: counted, maxBytes, claim })))
      throw new Failure(409, 'The upload took too long. Please try again.', 'expired')
    return { uploadURL: `${originOf(options.publicUrl, header)}/objects/${id}`, bytesUploaded }
  } catch (error) {
    await forgetUpload(db, id)
    throw error
  } finally {
    clearInterval(clock)
  }
}

function problemOf(error: unknown): LinkProgress {
  if (error instanceof Failure) return { status: error.status, message: error.message }
  if (!(error instanceof Error && error.name === 'AbortError')) log.warn('a file import failed', { error })
  return { status: 400, message: 'The other server stopped sending. Please try again.' }
}
