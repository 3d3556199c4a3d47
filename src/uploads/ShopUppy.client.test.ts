import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUppy } from './ShopUppy.client.ts'
import { refuseType, termsOf } from './uploader.rules.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const messages = (uppy: ReturnType<typeof createUppy>) => uppy.getState().info.map(({ message }) => message)

test('shows the notice of a lost connection until the connection is back', () => {
  const uppy = createUppy('file')
  uppy.info('No Internet connection', 'error', 0)
  uppy.info('Cannot add more files', 'error', 5000)
  vi.advanceTimersByTime(60_000)
  uppy.hideInfo()
  expect(messages(uppy)).toEqual(['No Internet connection', 'Cannot add more files'])
  uppy.closeProblems()
  expect(messages(uppy)).toEqual(['No Internet connection'])
  uppy.emit('back-online')
  uppy.info('Connected to the Internet', 'success', 3000)
  expect(messages(uppy)).toEqual(['Connected to the Internet'])
  vi.advanceTimersByTime(3000)
  expect(messages(uppy)).toEqual([])
})

test('shows errors until the seller closes them or starts the next upload', () => {
  const uppy = createUppy('file')
  for (const n of [1, 2, 3, 4, 5]) uppy.info(`Failed to upload ${n}.pdf`, 'error', 5000)
  vi.advanceTimersByTime(60_000)
  expect(messages(uppy)).toEqual([2, 3, 4, 5].map((n) => `Failed to upload ${n}.pdf`))
  expect(uppy.countProblems()).toBe(4)
  uppy.emit('upload', '1', [])
  expect(messages(uppy)).toEqual([])
})

test.each([
  ['preview', 'a.png', 'image/png', 5 * 1024 * 1024 + 1, 'a.png exceeds maximum allowed size of 5 MB'],
  ['sample', 'a.mp3', 'audio/mpeg', 20 * 1024 * 1024 + 1, 'a.mp3 exceeds maximum allowed size of 20 MB'],
  ['image', 'a.png', 'image/png', 5 * 1024 * 1024 + 1, 'a.png exceeds maximum allowed size of 5 MB'],
  ['file', 'a.bin', 'application/zip', 100 * 1024 * 1024 + 1, 'a.bin exceeds maximum allowed size of 100 MB'],
  ['image', 'a.pdf', 'application/pdf', 10, 'You can only upload: image/*'],
  ['image', 'a.svg', 'image/svg+xml', 10, 'The image must be a PNG, JPEG, GIF, WebP or AVIF file.'],
] as const)('rejects an invalid file in the %s uploader: %s', (kind, name, type, size, message) => {
  const uppy = createUppy(kind)
  const data = { size, type, slice: () => new Blob() } as unknown as File
  expect(() => uppy.addFile({ name, type, data })).toThrow()
  expect(messages(uppy)).toContain(message)
  expect(uppy.getFiles()).toEqual([])
})

test.each([
  [3, 'One file, up to 3 MB'],
  [5000, 'One file, up to 5,000 MB'],
])('shows and enforces a limit of %i MB', (mb, note) => {
  expect(termsOf('file', mb)).toEqual({ note, maxBytes: mb * 1024 * 1024, types: null })
})

test('accepts at most as many files as the product has room for', () => {
  const uppy = createUppy('files', { most: 2 })
  const files = ['a', 'b', 'c'].map((name) => ({ name, type: 'text/plain', data: new File([name], name) }))
  uppy.addFiles(files.slice(0, 2))
  expect(() => uppy.addFile(files[2]!)).toThrow('You can only upload 2 files')
})

test('accepts one file and rejects a second', () => {
  const uppy = createUppy('file')
  uppy.addFile({ name: 'a.txt', type: 'text/plain', data: new File(['a'], 'a.txt') })
  expect(() => uppy.addFile({ name: 'b.txt', type: 'text/plain', data: new File(['b'], 'b.txt') })).toThrow(
    'You can only upload 1 file',
  )
})

test('offers a pause only for uploads in parts, and a new upload after a cancel', () => {
  const uppy = createUppy('file')
  const id = uppy.addFile({ name: 'a.txt', type: 'text/plain', data: new File(['a'], 'a.txt') })
  expect(uppy.getState().capabilities.resumableUploads).toBe(false)
  expect(uppy.pauseResume(id)).toBe(undefined)
  expect(uppy.getFile(id).isPaused).toBeFalsy()
  uppy.removeFile(id)
  const data = { size: 100 * 1024 * 1024 + 1, type: '', slice: () => new Blob() } as unknown as File
  const large = createUppy('file')
  large.setOptions({ restrictions: { maxFileSize: null } })
  large.addFile({ name: 'a.bin', type: '', data })
  expect(large.getState().capabilities.resumableUploads).toBe(true)
  uppy.setState({ allowNewUpload: false, error: 'x' })
  uppy.cancelAll()
  expect(uppy.getState()).toMatchObject({ files: {}, allowNewUpload: true, error: null, recoveredState: null })
  expect(uppy.getState().capabilities.resumableUploads).toBe(false)
})

test('checks the claimed type of an image before the upload', () => {
  expect(refuseType('image', 'image/heic')).toMatch(/PNG, JPEG/)
  expect(refuseType('image', 'image/webp')).toBe(null)
  expect(refuseType('image', undefined)).toBe(null)
  expect(refuseType('file', 'image/svg+xml')).toBe(null)
})

const answers = (...given: [status: number, body: string][]) => {
  vi.stubGlobal('window', { navigator: { onLine: true } })
  vi.stubGlobal('fetch', async () => {
    const [status, body] = given.shift()!
    if (status === 0) throw new TypeError('Failed to fetch')
    return new Response(body, { status })
  })
}

test.each([
  [401, '{"message":"Unauthorized"}', 'Authorization required'],
  [
    429,
    '{"message":"Too many requests. Please wait 3 s and try again."}',
    'Too many requests. Please wait 3 s and try again.',
  ],
  [0, '', 'This looks like a network error, the endpoint might be blocked by an internet provider or a firewall.'],
])('shows the message of a refusal with status %i', async (status, body, message) => {
  vi.useRealTimers()
  answers([status, body])
  const uppy = createUppy('file')
  uppy.addFile({ name: 'a.txt', type: 'text/plain', data: new File(['a'], 'a.txt') })
  const result = await uppy.upload().catch(() => undefined)
  vi.unstubAllGlobals()
  expect(result?.failed?.[0]?.error ?? uppy.getFiles()[0]?.error).toContain(message)
})
