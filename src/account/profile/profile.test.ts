import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { createUpload } from '../../uploads/uploads.contract.ts'
import { saveProfile } from './profile.contract.ts'

const open = openShopForTests()

const png = () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#2f6f4f' } })
    .withExif({ IFD0: { Copyright: 'where Ada lives' } })
    .png()
    .toBuffer()

async function upload(person: Person, bytes: Buffer) {
  const { uploadURL } = await person.call(createUpload, {})
  const answer = await fetch(uploadURL, {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { cookie: person.cookie },
  })
  expect(answer.status).toBeLessThan(300)
  return uploadURL
}

const names = { firstName: 'Ada', lastName: 'Okafor' }
const load = (path: string) => fetch(open.shop.url + path)

test('changes, trims and removes a name', async () => {
  const ada = await open.shop.join()
  expect(await ada.call(saveProfile, { firstName: '  Adaeze ', lastName: 'Okafor', pictureURL: null })).toMatchObject({
    firstName: 'Adaeze',
    lastName: 'Okafor',
    email: ada.email,
  })
  await ada.call(saveProfile, { firstName: '', lastName: '', pictureURL: null })
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ firstName: null, lastName: null })
})

test.each([
  { firstName: 'x'.repeat(81) },
  { lastName: 'a\nb' },
  { role: 'admin' },
  { isAdmin: true },
  { email: 'a@b.co' },
])('rejects a profile with %j', async (wrong) => {
  const ada = await open.shop.join()
  const given = { ...names, pictureURL: null, ...wrong } as never
  await expect(ada.call(saveProfile, given)).rejects.toMatchObject({ status: 400 })
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ firstName: 'Test', isAdmin: false })
})

test('resizes a new picture, does not change it with the name, and removes it on request', async () => {
  const ada = await open.shop.join()
  const { profileImageUrl } = await ada.call(saveProfile, { ...names, pictureURL: await upload(ada, await png()) })
  const picture = await load(profileImageUrl!)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  const bytes = Buffer.from(await picture.arrayBuffer())
  expect(bytes.includes('where Ada lives')).toBe(false)
  // the first size replaces all others until a job has made them
  expect((await sharp(bytes).metadata()).width).toBe(600)

  const renamed = await ada.call(saveProfile, { firstName: 'A.', lastName: '', pictureURL: profileImageUrl })
  expect(renamed.profileImageUrl).toBe(profileImageUrl)
  expect((await load(profileImageUrl!)).status).toBe(200)

  const other = await ada.call(saveProfile, { ...names, pictureURL: await upload(ada, await png()) })
  expect(other.profileImageUrl).not.toBe(profileImageUrl)
  expect((await load(profileImageUrl!)).status).toBe(404)
  const none = await ada.call(saveProfile, { ...names, pictureURL: null })
  expect(none.profileImageUrl).toBeNull()
  expect((await load(other.profileImageUrl!)).status).toBe(404)
})

test("rejects a damaged picture, another account's upload and an external URL", async () => {
  const [ada, bob] = [await open.shop.join(), await open.shop.join()]
  const page = await upload(ada, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))
  await expect(ada.call(saveProfile, { ...names, pictureURL: page })).rejects.toMatchObject({ status: 415 })
  const bobs = await upload(bob, await png())
  await expect(ada.call(saveProfile, { ...names, pictureURL: bobs })).rejects.toMatchObject({ status: 404 })
  const { profileImageUrl } = await bob.call(saveProfile, { ...names, pictureURL: bobs })
  await expect(ada.call(saveProfile, { ...names, pictureURL: profileImageUrl })).rejects.toMatchObject({ status: 404 })
  const far = 'https://evil.example/tracker.png'
  await expect(ada.call(saveProfile, { ...names, pictureURL: far })).rejects.toMatchObject({ status: 400 })
  expect(await ada.call(getCurrentUser, {})).toMatchObject({ firstName: 'Test', profileImageUrl: null })
})
