import { Readable } from 'node:stream'
import { PDFDocument } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { upload } from '../../../test/served.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import { attachSaleFile, detachSaleFile, getSaleDispute } from '../sellerDisputes/sellerDispute.contract.ts'
import { readDispute, submitEvidence as sendEvidence } from './dispute.contract.ts'
import { lookAtDisputes, submitEvidence } from './dispute.server.ts'
import { attachFile, detachFile } from './evidenceFile.contract.ts'
import { evidenceFileJobs, forgetFilesOf } from './evidenceFiles.server.ts'

const open = openShopForTests()
const db = () => open.shop.database.db
const joinStaff = () => open.shop.join({ role: 'finance' })

type Shows = 'messages' | 'use' | 'other'
const pdfOf = (length = 100) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(length, ' '), Buffer.from('%%EOF\n')])
const create = { width: 9, height: 9, channels: 3 as const, background: '#c00' }
const PNG = await sharp({ create }).png().toBuffer()

async function disputed(given: { buyer?: Person; stage?: 'INQUIRY' } = {}) {
  const [seller, buyer] = [await open.shop.join({ firstName: 'Ada' }), given.buyer ?? (await open.shop.join())]
  const product = await addProduct(open.shop)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  const order = await buy(open.shop, buyer, product)
  const opened = await dispute(open.shop, order.id, undefined, given.stage)
  return { seller, buyer, sale: order.lines[0]!.id, dispute: opened }
}

const send = (person: Person, bytes: Buffer, name: string) => upload(open.shop, person, bytes, name)
const attach = async (
  seller: Person,
  id: string,
  { shows = 'messages' as Shows, bytes = pdfOf(), name = 'talk.pdf' } = {},
) => seller.call(attachSaleFile, { id, shows, uploadURL: await send(seller, bytes, name) })
const stateOf = (ids: string[]) =>
  db().selectFrom('objects').select(['id', 'status']).where('id', 'in', ids).orderBy('id').execute()
const readObjects = async (disputeId: string) =>
  (await db().selectFrom('disputeFiles').select('objectId').where('disputeId', '=', disputeId).execute()).map(
    ({ objectId }) => objectId,
  )

test('a seller and staff attach files, and the store sends them to the provider once', async () => {
  const staff = await joinStaff()
  const {
    seller,
    sale,
    dispute: { id, ref },
  } = await disputed()
  const { files } = await attach(seller, sale)
  expect(files).toMatchObject([{ shows: 'messages', fileName: 'talk.pdf', by: 'Ada P.', sizeBytes: pdfOf().length }])
  const uploadURL = await send(staff, PNG, 'log.png')
  await staff.call(attachFile, { id, shows: 'use', uploadURL })
  expect((await seller.call(getSaleDispute, { id: sale })).files).toHaveLength(1)
  const file = await staff.call(readDispute, { id })
  expect(file.files.map(({ shows }) => shows)).toEqual(['messages', 'use'])
  await staff.call(sendEvidence, { id, note: '', fileIds: file.files.map((one) => one.id) })
  for (let n = 0; n < 2; n++) await submitEvidence(open.shop.checkout, id)
  const { rows } = await sql<{ files: unknown }>`SELECT body->'files' AS files FROM sandbox.records
    WHERE kind = 'dispute' AND id = ${ref}`.execute(db())
  expect(rows[0]!.files).toEqual([
    { part: 'evidence-file', name: 'messages.pdf', type: 'application/pdf', size: pdfOf().length },
    { part: 'evidence-file', name: 'use.png', type: 'image/png', size: PNG.length },
  ])
  const admin = await open.shop.join({ isAdmin: true })
  const acts = (await admin.call(listAudit, { q: file.orderId })).map(({ act }) => act)
  expect(acts.filter((act) => act.startsWith('dispute.'))).toEqual(['dispute.answered', 'dispute.file_added'])
})

const changed = pdfOf()
changed[50] = 0
test.each([
  ['is missing', null],
  ['is cut off', pdfOf().subarray(0, 40)],
  ['has changed', changed],
] as const)('an answer with a file that %s returns to staff, who remove the file', async (_, bytes) => {
  const staff = await joinStaff()
  const { seller, sale, dispute: found } = await disputed()
  const { files } = await attach(seller, sale)
  await staff.call(sendEvidence, { id: found.id, note: '' })
  const storage: Storage = {
    ...open.shop.checkout.storage,
    open: async () => {
      if (bytes === null) throw new Failure(404, 'Not found', 'no_bytes')
      return { stream: Readable.from([bytes]), sizeBytes: bytes.length }
    },
  }
  await submitEvidence({ ...open.shop.checkout, storage }, found.id)
  expect(await staff.call(readDispute, { id: found.id })).toMatchObject({
    ...{ canSubmit: true, refusal: 'the file “talk.pdf” could not be read', state: 'needs_evidence' },
  })
  await staff.call(detachFile, { id: found.id, fileId: files[0]!.id })
  await staff.call(sendEvidence, { id: found.id, note: '' })
  await submitEvidence(open.shop.checkout, found.id)
  expect(await staff.call(readDispute, { id: found.id })).toMatchObject({ state: 'under_review', refusal: null })
})

const breakOff = () =>
  Readable.from(
    (function* () {
      yield pdfOf().subarray(0, 40)
      throw new TypeError('terminated')
    })(),
  )
const away = () => Promise.reject(new Failure(503, 'Away', 'store_down'))
const openBreaking = async () => ({ stream: breakOff(), sizeBytes: pdfOf().length })

test.each([
  ['cannot be reached', away, 'Away'],
  ['breaks during a read', openBreaking, 'terminated'],
] as const)('an answer waits while the storage of its files %s', async (_, openBytes, message) => {
  const staff = await joinStaff()
  const { seller, sale, dispute: found } = await disputed()
  await attach(seller, sale)
  await staff.call(sendEvidence, { id: found.id, note: '' })
  const storage: Storage = { ...open.shop.checkout.storage, open: openBytes }
  await expect(submitEvidence({ ...open.shop.checkout, storage }, found.id)).rejects.toThrow(message)
  expect(await staff.call(readDispute, { id: found.id })).toMatchObject({ refusal: null, canSubmit: false })
  await submitEvidence(open.shop.checkout, found.id)
  expect(await staff.call(readDispute, { id: found.id })).toMatchObject({ state: 'under_review', refusal: null })
})

test('detects the end of a dispute although its files cannot be reached', async () => {
  const staff = await joinStaff()
  const { seller, sale, dispute: found } = await disputed()
  await attach(seller, sale)
  await staff.call(sendEvidence, { id: found.id, note: '' })
  await provider(open.shop).endDispute(found.ref, 'win')
  await sql`UPDATE disputes SET looked_at = now() - interval '31 minutes' WHERE id = ${found.id}::uuid`.execute(db())
  await lookAtDisputes({ ...open.shop.checkout, storage: { ...open.shop.checkout.storage, open: away } })
  expect(await staff.call(readDispute, { id: found.id })).toMatchObject({ state: 'won' })
})

test('only nodes that know files run the job of an answer with files', async () => {
  const staff = await joinStaff()
  const jobOf = async (id: string) => {
    const { rows } = await sql<{ name: string }>`SELECT task.identifier AS name FROM graphile_worker._private_jobs job
      JOIN graphile_worker._private_tasks task ON task.id = job.task_id WHERE job.key = ${`submit_evidence:${id}`}`.execute(
      db(),
    )
    return rows.map(({ name }) => name)
  }
  const [plain, filed] = [await disputed(), await disputed()]
  await attach(filed.seller, filed.sale)
  for (const { dispute: one } of [plain, filed]) await staff.call(sendEvidence, { id: one.id, note: '' })
  expect(await jobOf(plain.dispute.id)).toEqual(['submit_evidence'])
  expect(await jobOf(filed.dispute.id)).toEqual(['submit_evidence_files'])
})

test('staff cannot answer before they see a file that a seller attached or removed meanwhile', async () => {
  const staff = await joinStaff()
  const {
    seller,
    sale,
    dispute: { id },
  } = await disputed()
  const { files } = await attach(seller, sale)
  const answer = (fileIds: string[]) => staff.call(sendEvidence, { id, note: '', fileIds })
  await expect(answer([])).rejects.toMatchObject({ status: 409, code: 'changed' })
  await seller.call(detachSaleFile, { id: sale, fileId: files[0]!.id })
  await expect(answer([files[0]!.id])).rejects.toMatchObject({ status: 409, code: 'changed' })
  await answer([])
})

test('rejects other types, damaged and large files, and a second file of a kind', async () => {
  const { seller, sale } = await disputed()
  await expect(attach(seller, sale, { bytes: Buffer.from('Words.'), name: 'a.txt' })).rejects.toMatchObject({
    status: 415,
  })
  await expect(attach(seller, sale, { bytes: Buffer.from('GIF89a'), name: 'a.gif' })).rejects.toMatchObject({
    status: 415,
  })
  const cut = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(50)])
  await expect(attach(seller, sale, { bytes: cut, name: 'document' })).rejects.toMatchObject({ status: 415 })
  const start = Buffer.concat([PNG.subarray(0, 40), Buffer.alloc(50)])
  await expect(attach(seller, sale, { bytes: start, name: 'a.png' })).rejects.toMatchObject({
    ...{ status: 400, code: 'damaged_image' },
  })
  const half = pdfOf(2.4 * 1024 * 1024)
  await attach(seller, sale, { bytes: half })
  await expect(attach(seller, sale)).rejects.toMatchObject({ status: 409, code: 'taken' })
  await expect(attach(seller, sale, { shows: 'use', bytes: half })).rejects.toMatchObject({ status: 413 })
  const { files } = await attach(seller, sale, { shows: 'use' })
  expect(files.map(({ shows }) => shows)).toEqual(['messages', 'use'])
})

test('rejects a PDF with more pages than Stripe accepts', async () => {
  const { seller, sale } = await disputed()
  const draw = async (pages: number) => {
    const pdf = await PDFDocument.create()
    for (let page = 0; page < pages; page++) pdf.addPage([300, 200])
    return Buffer.from(await pdf.save())
  }
  await expect(attach(seller, sale, { bytes: await draw(50) })).rejects.toMatchObject({
    ...{ status: 413, code: 'too_many_pages' },
  })
  expect((await attach(seller, sale, { bytes: await draw(49) })).files).toHaveLength(1)
})

test('a seller can neither see nor remove the files of staff', async () => {
  const staff = await joinStaff()
  const { seller, buyer, sale, dispute: found } = await disputed()
  const uploadURL = await send(staff, PNG, 'log.png')
  await staff.call(attachFile, { id: found.id, shows: 'use', uploadURL })
  const [other] = (await staff.call(readDispute, { id: found.id })).files
  expect(await seller.call(getSaleDispute, { id: sale })).toMatchObject({
    ...{ files: [], free: { kinds: ['messages', 'other'], bytes: 4.5 * 1024 * 1024 - PNG.length } },
  })
  await expect(seller.call(detachSaleFile, { id: sale, fileId: other!.id })).rejects.toMatchObject({ status: 404 })
  await expect(attach(buyer, sale)).rejects.toMatchObject({ status: 404 })
})

test('the removal of a seller’s file by staff is in the audit log and in a mail to the seller', async () => {
  const [staff, admin] = [await joinStaff(), await open.shop.join({ isAdmin: true })]
  const { seller, sale, dispute: found } = await disputed()
  const [file] = (await attach(seller, sale)).files
  await staff.call(detachFile, { id: found.id, fileId: file!.id })
  expect(await seller.call(getSaleDispute, { id: sale })).toMatchObject({ files: [], canAttach: true })
  const { orderId } = await staff.call(readDispute, { id: found.id })
  const removal = (await admin.call(listAudit, { q: orderId })).find(({ act }) => act === 'dispute.file_removed')
  expect(removal).toMatchObject({ details: { dispute: found.id, shows: 'messages', from: seller.id } })
  const mails = db().selectFrom('mails').select('subject').where('recipient', '=', seller.email)
  expect(await mails.where('subject', 'like', 'Staff removed your file%').execute()).toHaveLength(1)
})

test('staff see a file that a seller attached in an inquiry, which accepts no files', async () => {
  const staff = await joinStaff()
  const { seller, sale, dispute: found } = await disputed({ stage: 'INQUIRY' })
  await attach(seller, sale)
  const seen = await staff.call(readDispute, { id: found.id })
  expect(seen).toMatchObject({ canSubmit: false, canReply: true, files: [{ shows: 'messages' }] })
  const mails = db().selectFrom('mails').select('bodyText').where('recipient', '=', staff.email)
  const [mail] = await mails.where('subject', 'like', 'A seller attached a file%').execute()
  expect(mail!.bodyText).toContain('accepts no files in an inquiry')
})

test('rejects changes of files after the deadline, with all possible reasons', async () => {
  const { seller, sale, dispute: found } = await disputed()
  const passed = { evidenceDueAt: new Date(Date.now() - 60_000) }
  await db().updateTable('disputes').set(passed).where('id', '=', found.id).execute()
  await expect(attach(seller, sale)).rejects.toMatchObject({
    ...{ status: 409, code: 'closed' },
    details: { message: expect.stringContaining('the deadline has passed') as string },
  })
})

test('rejects changes of files after the answer', async () => {
  const staff = await joinStaff()
  const {
    seller,
    sale,
    dispute: { id },
  } = await disputed()
  await attach(seller, sale)
  const uploadURL = await send(staff, PNG, 'log.png')
  await staff.call(attachFile, { id, shows: 'use', uploadURL })
  const [own, other] = (await staff.call(readDispute, { id })).files
  await staff.call(sendEvidence, { id, note: '' })
  const closed = { status: 409, code: 'closed' }
  await expect(attach(seller, sale)).rejects.toMatchObject(closed)
  await expect(seller.call(detachSaleFile, { id: sale, fileId: own!.id })).rejects.toMatchObject(closed)
  await expect(staff.call(detachFile, { id, fileId: other!.id })).rejects.toMatchObject(closed)
  const late = await send(staff, PNG, 'late.png')
  await expect(staff.call(attachFile, { id, shows: 'other', uploadURL: late })).rejects.toMatchObject(closed)
  expect((await seller.call(getSaleDispute, { id: sale })).canAttach).toBe(false)
})

test('a file is read by the member who attached it and by finance staff who are not the buyer', async () => {
  const [buyer, staff, support] = [await joinStaff(), await joinStaff(), await open.shop.join({ role: 'support' })]
  const {
    seller,
    sale,
    dispute: { id },
  } = await disputed({ buyer })
  const [file] = (await attach(seller, sale)).files
  const get = (path: string, person?: Person) =>
    fetch(open.shop.url + path, { headers: person ? { cookie: person.cookie } : {} })
  const own = await get(`/dispute-files/${file!.id}`, seller)
  expect([own.status, own.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')])
  expect(Buffer.from(await own.arrayBuffer())).toEqual(pdfOf())
  for (const [person, status] of [
    [buyer, 404],
    [staff, 404],
    [undefined, 401],
  ] as const)
    expect((await get(`/dispute-files/${file!.id}`, person)).status).toBe(status)
  const path = `/api/admin/disputes/${id}/files/${file!.id}`
  expect((await get(path, staff)).status).toBe(200)
  expect((await get(path.replace(id, crypto.randomUUID()), staff)).status).toBe(404)
  for (const person of [buyer, support, seller]) expect((await get(path, person)).status).toBe(403)
  expect((await buyer.call(readDispute, { id })).files).toEqual([])
  const uploadURL = await send(buyer, PNG, 'a.png')
  await expect(buyer.call(attachFile, { id, shows: 'use', uploadURL })).rejects.toMatchObject({ status: 403 })
})

const runDeletion = () => evidenceFileJobs({ db: db() })[0]!.run({})
const erase = async ({ id }: Person) => {
  await inTransaction(db(), (tx) => forgetFilesOf(tx, id))
  await sql`UPDATE users SET erased_at = now() WHERE id = ${id}::uuid`.execute(db())
}

test('files are deleted at the end of a dispute if the buyer is erased', async () => {
  const [ended, pending] = [await disputed(), await disputed()]
  for (const { seller, sale } of [ended, pending]) await attach(seller, sale)
  await ended.dispute.end('win')
  for (const { buyer } of [ended, pending]) await erase(buyer)
  expect(await readObjects(ended.dispute.id)).toEqual([])
  expect(await readObjects(pending.dispute.id)).toHaveLength(1)
  await runDeletion()
  expect(await readObjects(pending.dispute.id)).toHaveLength(1)
  await pending.dispute.end('win')
  await runDeletion()
  expect(await readObjects(pending.dispute.id)).toEqual([])
})

test('an answer on its way keeps the files of an erased member until it is sent', async () => {
  const staff = await joinStaff()
  const { seller, sale, dispute: found } = await disputed()
  await attach(seller, sale)
  await staff.call(sendEvidence, { id: found.id, note: '' })
  await erase(seller)
  await runDeletion()
  expect(await readObjects(found.id)).toHaveLength(1)
  await submitEvidence(open.shop.checkout, found.id)
  await runDeletion()
  expect(await readObjects(found.id)).toEqual([])
})

test('files are deleted 180 days after the end of a dispute, and with the account of their seller', async () => {
  const [old, recent, erased] = [await disputed(), await disputed(), await disputed()]
  const objects: string[] = []
  for (const { seller, sale, dispute: found } of [old, recent, erased]) {
    await attach(seller, sale)
    objects.push(...(await readObjects(found.id)))
  }
  expect((await stateOf(objects)).map(({ status }) => status)).toEqual(['bound', 'bound', 'bound'])
  for (const [one, days] of [
    [old, 181],
    [recent, 179],
  ] as const) {
    await one.dispute.end('win')
    await sql`UPDATE disputes SET ended_at = now() - ${days} * interval '1 day' WHERE id = ${one.dispute.id}::uuid`.execute(
      db(),
    )
  }
  await runDeletion()
  await inTransaction(db(), (tx) => forgetFilesOf(tx, erased.seller.id))
  expect(await readObjects(old.dispute.id)).toEqual([])
  expect(await readObjects(recent.dispute.id)).toHaveLength(1)
  expect(await readObjects(erased.dispute.id)).toEqual([])
  // the sweep removes the bytes of the others
  const bound = (await stateOf(objects)).filter(({ status }) => status === 'bound')
  expect(bound.map(({ id }) => id)).toEqual([objects[1]])
})
