import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Failure } from '../../kit/failure.ts'
import { fail, type Finding, ok, warn } from '../../kit/health/finding.rules.ts'
import type { S3Settings } from '../uploads.settings.server.ts'
import { NOT_THERE, openS3, type S3 } from './client.server.ts'
import { openS3Storage } from './storage.s3.server.ts'
import { escapeXml } from './xml.rules.ts'
import { required } from '../../kit/values/required.ts'

// Configures the bucket, then tries all operations that the shop and its pages need.

const DAYS_OF_PARTS = 7

const corsOf = (origin: string) =>
  `<CORSConfiguration><CORSRule><AllowedOrigin>${escapeXml(origin)}</AllowedOrigin>${['PUT', 'GET', 'HEAD']
    .map((method) => `<AllowedMethod>${method}</AllowedMethod>`)
    .join(
      '',
    )}<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`

/** The shop sweeps after a day; these bucket rules also work while it is off. */
const LIFECYCLE = `<LifecycleConfiguration><Rule><ID>incoming</ID><Status>Enabled</Status><Filter><Prefix>incoming/</Prefix></Filter><Expiration><Days>2</Days></Expiration></Rule><Rule><ID>parts</ID><Status>Enabled</Status><Filter><Prefix></Prefix></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>${DAYS_OF_PARTS}</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule></LifecycleConfiguration>`

export async function* setUpBucket(settings: S3Settings, origin: string): AsyncGenerator<Finding> {
  const s3 = openS3(settings)
  yield await writeRules(s3, 'cors', corsOf(origin), 'set the CORS rules with the tools of the store')
  yield await writeRules(s3, 'lifecycle', LIFECYCLE, 'nothing: the shop itself removes leftovers each hour')
  const storage = openS3Storage(settings, 1024 * 1024)
  const bytes = randomBytes(1024)
  const sha256 = createHash('sha256').update(bytes).digest('base64')
  const id = randomUUID()
  const direct = required(storage.direct, 'the direct access to the store')
  const terms = { seconds: 60, sizeBytes: bytes.length, sha256, contentType: 'application/octet-stream' }
  const signed = await direct.signPut(id, terms)
  const put = (body: Buffer) =>
    fetch(signed.url, { method: 'PUT', headers: { ...signed.headers, origin }, body: body as Buffer<ArrayBuffer> })
  try {
    yield await look('preflight', async () => {
      const asked = Object.keys(signed.headers).join(', ')
      const headers = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': asked }
      const answer = await fetch(signed.url, { method: 'OPTIONS', headers })
      const allowed = answer.headers.get('access-control-allow-origin')
      if (!answer.ok || (allowed !== origin && allowed !== '*'))
        return fail('preflight', `pages of ${origin} may not send files there (${answer.status})`, 'add a CORS rule')
      return ok('preflight', `pages of ${origin} may send files there`)
    })
    yield await look('signed PUT', async () => {
      const wrong = await put(randomBytes(1024))
      const right = await put(bytes)
      if (!right.ok) return fail('signed PUT', `${right.status} ${await right.text()}`, 'check S3_KEY and S3_SECRET')
      const isHeard = /\betag\b|\*/i.test(right.headers.get('access-control-expose-headers') ?? '')
      if (!isHeard) return fail('signed PUT', 'pages cannot read ETag', 'expose the header ETag in the CORS rule')
      return wrong.ok
        ? warn('signed PUT', 'taken, but the store does not compare hashes', 'the shop hashes each file itself')
        : ok('signed PUT', 'taken; other bytes are refused')
    })
    yield await look('private', async () => {
      const stored = await direct.accept(id)
      if (stored?.sizeBytes !== bytes.length) return fail('private', 'the file did not arrive', 'check the bucket')
      const open = await fetch(`${s3.base}/${id}`)
      await open.body?.cancel()
      if (open.ok) return fail('private', 'anyone can read the files', 'block public access to the bucket')
      const url = await direct.signGet(id, { seconds: 60, contentType: 'text/plain', disposition: 'attachment' })
      const own = await fetch(url)
      if (!bytes.equals(Buffer.from(await own.arrayBuffer())))
        return fail('private', `a signed GET answered ${own.status}`, 'allow s3:GetObject for the key')
      return ok('private', 'only signed requests read files')
    })
    yield await look('parts', async () => {
      const uploadId = await storage.parts.start(id)
      await storage.parts.list(id, uploadId)
      await storage.parts.abort(id, uploadId)
      return ok('parts', 'uploads in parts start, list and end')
    })
  } finally {
    await storage.remove(id).catch(() => undefined)
  }
}

async function look(name: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    return fail(name, (error as Error).message, 'check the settings S3_* and the rights of the key')
  }
}

async function writeRules(s3: S3, name: 'cors' | 'lifecycle', body: string, mend: string): Promise<Finding> {
  const headers = { 'content-type': 'application/xml', 'content-md5': createHash('md5').update(body).digest('base64') }
  try {
    await s3.send('PUT', { query: { [name]: '' }, body, headers })
    return ok(name, 'written')
  } catch (error) {
    const isLacking = error instanceof Failure && error.code === NOT_THERE
    const says = isLacking ? 'not known to this store' : (error as Error).message
    return (isLacking || name === 'lifecycle' ? warn : fail)(name, says, mend)
  }
}
