import type { Db } from '../../kit/database.server.ts'
import type { CodeVault } from './vault.server.ts'

const PAGE = 500

/**
 * Seals all codes under the present secret, in order of arrival; answers how many it sealed again. A stopped run goes on where
 * it was. One row at a time: a checkout skips locked codes, so a batch could look like a product that has sold out.
 */
export async function rotateCodes(db: Db, vault: CodeVault): Promise<number> {
  let count = 0
  for (let after = 0; ;) {
    const page = await db
      .selectFrom('codes')
      .select(['id', 'position', 'ciphertext', 'fingerprint'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(PAGE)
      .execute()
    if (page.length === 0) return count
    after = page.at(-1)!.position
    for (const { id, ciphertext, fingerprint } of page) {
      if (ciphertext.subarray(0, vault.mark.length).equals(vault.mark)) continue
      const parts = vault.open(ciphertext)
      const sealed = vault.seal(parts)
      // a row that repeats another's code keeps the fingerprint that tells it apart
      const isOwn = vault.fingerprints(parts.code).includes(fingerprint)
      const set = isOwn ? sealed : { ciphertext: sealed.ciphertext }
      await db.updateTable('codes').set(set).where('id', '=', id).execute()
      count++
    }
  }
}
