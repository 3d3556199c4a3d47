import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../test/page.ts'

test('retries a failed script load at the next notification and when the network returns', async () => {
  const page = await openPage()
  let loads = 0
  vi.doMock('./Toasts.tsx', () => {
    if (++loads < 3) throw new Error('offline')
    return { Toasts: () => createElement('ol') }
  })
  const { ToastHost } = await import('./ToastHost.tsx')
  const { toast } = await import('./toast.client.ts')
  page.draw(ToastHost, {})
  toast({ title: 'First' })
  await expect.poll(() => loads).toBe(1)
  toast({ title: 'Second' })
  await expect.poll(() => loads).toBe(2)
  await page.rest()
  page.dispatchEvent(new Event('online'))
  await expect.poll(page.names).toEqual(['OL'])
  await page.close()
})
