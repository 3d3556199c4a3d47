import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { findProduct, setStamped } from '../../catalogue/files.server.ts'
import { MAX_STAMPED_BYTES } from './stamp.rules.ts'
import type { SentFile } from '../../uploads/sendFile.server.ts'
import type { Stamps } from './stamps.server.ts'

type Chosen = { sellerId: string; id: string; isOn: boolean }

/**
 * Sets whether PDFs of a product show the buyer's mail address. Throws a Failure: 404 for another's product, 409
 * `unstampable` if one of its PDFs cannot be stamped.
 */
export async function saveStamp(db: Db, stamps: Stamps, { sellerId, id, isOn }: Chosen) {
  const seller = { id: sellerId, role: 'member' } as const
  if (isOn) await refuseUnstampable(db, stamps, sellerId, await findProduct(db, id, seller))
  await setStamped(db, { sellerId, id, isOn })
}

async function refuseUnstampable(
  db: Db,
  stamps: Stamps,
  account: string,
  { files }: Awaited<ReturnType<typeof findProduct>>,
) {
  const ids = files.map((file) => file.id)
  if (ids.length === 0) return
  const pdfs = await db
    .selectFrom('productFiles')
    .select(['objectId as key', 'fileName', 'contentType', 'sizeBytes', 'sha256'])
    .where('id', 'in', ids)
    .where('contentType', '=', 'application/pdf')
    .execute()
  for (const pdf of pdfs) await refusePdf(stamps, pdf, account)
}

/** Throws a Failure 409 for a PDF that cannot be stamped. */
export async function refusePdf(stamps: Pick<Stamps, 'canStamp'>, pdf: SentFile, account: string) {
  if (await stamps.canStamp(pdf, account)) return
  const reason = pdf.sizeBytes > MAX_STAMPED_BYTES ? 'has more than 50 MB' : 'is protected or damaged'
  throw new Failure(409, `“${pdf.fileName}” ${reason}, so its pages cannot carry an address.`, 'unstampable')
}
