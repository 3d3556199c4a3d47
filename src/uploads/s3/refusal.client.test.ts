import AwsS3 from '@uppy/aws-s3'
import { afterEach, expect, test, vi } from 'vitest'
import { createUppy } from '../ShopUppy.client.ts'

afterEach(() => void vi.unstubAllGlobals())

test('shows the reason when a bucket refuses bytes', async () => {
  vi.stubGlobal('window', { navigator: { onLine: true } })
  const issued = { id: crypto.randomUUID(), uploadURL: 'https://bucket.example/incoming/1', headers: {} }
  vi.stubGlobal('fetch', async () => Response.json(issued))
  const responseText = '<Error><Code>BadDigest</Code><Message>The SHA256 you specified did not match.</Message></Error>'
  const refused = Object.assign(new Error('Non 2xx'), { source: { status: 400, responseText } })
  vi.spyOn(AwsS3, 'uploadPartBytes').mockRejectedValue(refused)
  const uppy = createUppy('file')
  uppy.addFile({ name: 'a.txt', type: 'text/plain', data: new File(['a'], 'a.txt') })
  await uppy.upload().catch(() => undefined)
  expect(uppy.getState().info.map(({ message }) => message)).toContain(
    'The SHA256 you specified did not match. Please choose another file.',
  )
})
