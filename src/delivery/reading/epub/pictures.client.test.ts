import { beforeEach, expect, test, vi } from 'vitest'
import { openPictures } from './pictures.client.ts'

const open = new Set<string>()
let made = 0
beforeEach(() => {
  open.clear()
  made = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    const url = `blob:${++made}`
    open.add(url)
    return url
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void open.delete(url))
})

const entry = { offset: 0, packedBytes: 0, bytes: 3, isPacked: false }
const archive = (read: () => Promise<Uint8Array<ArrayBuffer>>) => ({ find: () => entry, read })

test('each picture of a book opens once, and closing the book frees them all', async () => {
  const pictures = openPictures(archive(async () => new Uint8Array(3)))
  const [first, again] = [await pictures.open('hill.png'), await pictures.open('hill.png')]
  expect(again).toBe(first)
  expect(pictures.draw('<svg/>')).toBe(pictures.draw('<svg/>'))
  expect(open.size).toBe(2)
  pictures.close()
  await vi.waitFor(() => expect(open.size).toBe(0))
})

test('a picture that loads after the book was closed holds no memory', async () => {
  let finish = (_: Uint8Array<ArrayBuffer>) => {}
  const pictures = openPictures(archive(() => new Promise((resolve) => (finish = resolve))))
  const opened = pictures.open('hill.png')
  pictures.close()
  finish(new Uint8Array(3))
  expect(await opened).toBeNull()
  pictures.draw('<svg/>')
  expect(open.size).toBe(0)
})
