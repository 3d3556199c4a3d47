import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { type Answer, asJson, handle, handleCached, handleRaw, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import type { Quota } from '../../uploads/budget/budget.server.ts'
import { bindUpload, findUpload, releaseUpload, type Upload } from '../../uploads/binding.server.ts'
import { checkFile } from '../../uploads/checks/fileCheck.server.ts'
import { storeMade } from '../../uploads/keep.server.ts'
import { makeImages } from '../../uploads/images/images.server.ts'
import { sendFile } from '../../uploads/sendFile.server.ts'
import { IMAGE_TYPES } from '../../uploads/checks/sniff.rules.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { MAX_SAMPLE_BYTES } from '../../uploads/uploader.rules.ts'
import { FILES_CHANGED, findProduct } from '../files.server.ts'
import { bytesToRead } from './cut/cut.rules.ts'
import { type CutFile, type Cutter, UNCUT } from './cut/cutter.server.ts'
import {
  addPreview,
  arrangePreviews,
  cutSample,
  getPreviews,
  MAX_PREVIEWS,
  measureSample,
  type Preview,
  type PreviewKind,
} from './previews.contract.ts'
import * as statements from './preview.statements.server.ts'

// Previews are public. Samples are separate files, so that no request for one can return the sold goods.

const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const channels = ['catalogue']

const NAMES: Record<PreviewKind, string> = {
  image: 'images',
  audio: 'recording',
  video: 'film',
  pdf: 'PDF',
  epub: 'EPUB',
}
/** Limits cuts, which read and write files. A sample needs two: one to measure, one to store. */
const cuts: Limit[] = [{ per: 'account', count: 40, seconds: 3600, isShared: true }]

export function previewRoutes({ storage, publicUrl }: { storage: Storage; publicUrl: string | undefined }): Route[] {
  return [
    handleCached(getPreviews, {
      channels,
      limits: [{ per: 'address', count: 120, seconds: 60 }],
      load: async ({ id }, { db }) => {
        const listed = await db
          .selectFrom('products')
          .select('id')
          .where('id', '=', id)
          .where('isListed', '=', true)
          .executeTakeFirst()
        return listed ? asJson(JSON.stringify(await readPreviews(db, id))) : null
      },
      otherwise: async ({ id }, { db, user }) => {
        if (!user) throw new Failure(404, 'Product not found')
        await findProduct(db, id, { id: user.id, role: 'member' })
        return readPreviews(db, id)
      },
    }),

    handle(addPreview, { limits: changes }, async ({ id, uploadURL, alt }, { db, user, header }) => {
      const seller = { id: user.id, role: 'member' } as const
      await findProduct(db, id, seller)
      const uploadId = uploadIdOf(uploadURL, originOf(publicUrl, header), storage)
      const upload = await findUpload(db, storage, { userId: user.id, id: uploadId })
      const kind = kindOf(upload)
      if (kind === 'image') await makeImages(db, storage, upload)
      else {
        refuseLarge(upload)
        await checkFile(storage, upload)
      }
      return bindPreview(db, upload, { productId: id, kind, alt, shown: null, whole: null, cutFrom: null })
    }),

    handle(arrangePreviews, { limits: changes }, ({ id, previews }, { db, user }) =>
      inTransaction(db, async (tx) => {
        await findProduct(tx, id, { id: user.id, role: 'member' }, true)
        const present = new Set((await readPreviews(tx, id)).map((one) => one.id))
        if (!previews.every((one) => present.delete(one.id)))
          throw new Failure(409, 'The previews were changed elsewhere. Look at them and try again.', 'changed')
        for (const [position, { id: previewId, alt }] of previews.entries())
          await tx.updateTable('productPreviews').set({ position, alt }).where('id', '=', previewId).execute()
        if (present.size > 0) {
          const gone = await tx
            .deleteFrom('productPreviews')
            .where('id', 'in', [...present])
            .returning('objectId')
            .execute()
          for (const { objectId } of gone) await releaseUpload(tx, objectId)
        }
        return readPreviews(tx, id)
      }),
    ),

    sampleRoute(storage),
  ]
}

type CutContext = Quota & { storage: Storage; cutter: Pick<Cutter, 'cut'> }

/** Cuts samples from the files of products. Sellers see how much a sample shows before it is public. */
export function cutRoutes({ storage, cutter, maxBytesPerDay }: CutContext): Route[] {
  async function cut(db: Db, id: string, sellerId: string) {
    const { title, file } = await findCutFile(db, id, sellerId)
    if (bytesToRead(file) === null) throw UNCUT
    const kind = kindOf(file)
    // before the cut, which is expensive
    refuseMore(await readPreviews(db, id), kind)
    return { title, file, kind, ...(await cutter.cut(file, sellerId)) }
  }
  return [
    handle(measureSample, { limits: cuts }, async ({ id }, { db, user }) => {
      const { kind, shown, whole, percent } = await cut(db, id, user.id)
      return { kind, shown, whole, percent }
    }),

    handle(cutSample, { limits: cuts }, async ({ id, ...agreed }, { db, user }) => {
      const { title, file, kind, bytes, shown, whole } = await cut(db, id, user.id)
      if (shown !== agreed.shown || whole !== agreed.whole) throw FILES_CHANGED
      const { contentType, objectId } = file
      const made = { userId: user.id, fileName: fileNameOf(contentType), contentType, bytes }
      const uploadId = await storeMade(db, { storage, maxBytesPerDay }, made)
      const upload = await findUpload(db, storage, { userId: user.id, id: uploadId })
      return bindPreview(db, upload, { productId: id, kind, alt: title, shown, whole, cutFrom: objectId })
    }),
  ]
}

const NO_FILE = new Failure(409, 'Add the file that buyers get first. A sample is cut from it.', 'no_file')

/** Finds the first file on sale of the seller's product. Throws a Failure: 404 for another's product, 409 without a file. */
async function findCutFile(db: Db, id: string, sellerId: string): Promise<{ title: string; file: CutFile }> {
  const { title, delivery, files } = await findProduct(db, id, { id: sellerId, role: 'member' })
  const [first] = delivery === 'file' || delivery === 'license' ? files : []
  const file =
    first &&
    (await db
      .selectFrom('productFiles')
      .select(['objectId', 'contentType', 'sizeBytes'])
      .where('id', '=', first.id)
      .executeTakeFirst())
  if (!file) throw NO_FILE
  return { title, file }
}

type NewPreview = Pick<Preview, 'kind' | 'alt' | 'shown' | 'whole'> & {
  productId: string
  /** The object of the file that a sample was cut from. */
  cutFrom: string | null
}

/**
 * Binds an upload of a seller to their product as its last preview. Throws a Failure 409 for one too many, or if the product
 * sells another file meanwhile.
 */
const bindPreview = (db: Db, upload: Upload, preview: NewPreview): Promise<Preview[]> =>
  inTransaction(db, async (tx) => {
    const { productId, kind, cutFrom } = preview
    const { id: objectId, userId, contentType, sizeBytes } = upload
    const { files } = await findProduct(tx, productId, { id: userId, role: 'member' }, true)
    if (cutFrom !== null && files[0]?.objectId !== cutFrom) throw FILES_CHANGED
    const present = await readPreviews(tx, productId)
    refuseMore(present, kind)
    await bindUpload(tx, { userId, id: objectId })
    await tx
      .insertInto('productPreviews')
      .values({ ...preview, objectId, contentType, sizeBytes, position: present.length })
      .execute()
    return readPreviews(tx, productId)
  })

function refuseMore(present: Preview[], kind: PreviewKind) {
  if (present.filter((one) => one.kind === kind).length >= MAX_PREVIEWS[kind])
    throw new Failure(409, `A product has at most ${MAX_PREVIEWS[kind]} ${NAMES[kind]} as preview.`, 'too_many')
}

const EPUB = 'application/epub+zip'
const EXTENSIONS: Record<string, string> = {
  [EPUB]: 'epub',
  'application/pdf': 'pdf',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
}
const fileNameOf = (contentType: string) => `sample.${EXTENSIONS[contentType] ?? contentType.split('/')[1] ?? 'bin'}`

/** Throws a Failure 415 for an unsupported type. */
function kindOf({ contentType }: Pick<Upload, 'contentType'>): PreviewKind {
  if (IMAGE_TYPES.includes(contentType)) return 'image'
  if (contentType === EPUB) return 'epub'
  const kind = contentType === 'application/pdf' ? 'pdf' : /^(audio|video)\//.exec(contentType)?.[1]
  if (!kind) throw new Failure(415, 'A preview is an image, a recording, a film, a PDF or an EPUB.', 'no_preview')
  return kind as PreviewKind
}

function refuseLarge({ sizeBytes }: Upload) {
  if (sizeBytes > MAX_SAMPLE_BYTES) throw new Failure(413, 'A sample has at most 20 MB.', 'too_large')
}

export const readPreviews = (db: Db | Tx, productId: string): Promise<Preview[]> =>
  statements.readPreviews(db, { productId })

/** Serves ranges of a listed product's sample. Its seller has access at any time. */
const sampleRoute = (storage: Storage) =>
  handleRaw(
    'GET /samples/:id',
    {
      access: 'public',
      about: 'A sample of a product: a recording, a film, a PDF or an EPUB. Accepts one range.',
      limits: [{ per: 'address', count: 300, seconds: 60 }],
    },
    async ({ params, db, user, header, method }): Promise<Answer> => {
      const id = params.id!
      const sample = isUuid(id)
        ? await db
            .selectFrom('productPreviews')
            .innerJoin('products', 'products.id', 'productPreviews.productId')
            .select(['objectId', 'contentType', 'sizeBytes'])
            .where('productPreviews.id', '=', id)
            .where('kind', '<>', 'image')
            .where((row) => row.or([row('isListed', '=', true), row('sellerId', '=', user?.id ?? null)]))
            .executeTakeFirst()
        : undefined
      if (!sample) throw new Failure(404, 'Not found')
      const { objectId, contentType, sizeBytes } = sample
      // serves the bytes itself, because the page's policy allows no other origin
      const through = { ...storage, direct: undefined }
      const file = {
        key: objectId,
        fileName: fileNameOf(contentType),
        contentType,
        sizeBytes,
        sha256: objectId,
      }
      return sendFile({ header, method }, through, file)
    },
  )
