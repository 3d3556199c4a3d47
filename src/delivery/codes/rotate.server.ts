import type { Db } from '../../kit/database.server.ts'
import type { CodeVault } from './vault.server.ts'
import { lastOf } from '../../kit/values/required.ts'

const PAGE = 500

/**
 * Re-encrypts all codes with the present secret and returns their number. A stopped run can be resumed. Locks one row
 * at a time: checkouts skip locked codes, so a locked batch could look like an empty stock.
 */
export async function rotateCodes(db: Db, vault: CodeVault): Promise<number> {
  const isPresent = (sealed: Buffer) => sealed.subarray(0, vault.mark.length).equals(vault.mark)
  let count = 0
  for (let after = 0; ;) {
    const page = await db
      .selectFrom('codes')
      .select(['id', 'position', 'ciphertext', 'sealedParts', 'fingerprint'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(PAGE)
      .execute()
    if (page.length === 0) return count
    after = lastOf(page).position
    for (const { id, fingerprint, ...stored } of page) {
      if (isPresent(stored.ciphertext)) continue
      const parts = vault.open(stored)
      const sealed = vault.seal(parts)
      // a duplicate of another code has its own fingerprint, which must not change
      const isOwn = vault.fingerprints(parts.code).includes(fingerprint)
      const set = isOwn ? sealed : { ...sealed, fingerprint }
      await db.updateTable('codes').set(set).where('id', '=', id).execute()
      count++
    }
  }
}
