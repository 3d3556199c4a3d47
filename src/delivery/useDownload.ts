import { useState } from 'react'
import { call } from '../kit/call.client.ts'
import { toastFailure } from '../ui/toast.client.ts'
import { grantDownload } from './delivery.contract.ts'

/** Asks for the right to download a line's file and lets the browser fetch it. */
export function useDownload(orderId: string) {
  const [busyLine, setBusyLine] = useState<string | null>(null)
  const download = async (lineId: string) => {
    setBusyLine(lineId)
    try {
      const { url } = await call(grantDownload, { id: orderId, lineId })
      // a link with `download`, not a navigation: a refusal must not take the page away
      const link = Object.assign(document.createElement('a'), { href: url, download: '' })
      document.body.append(link)
      link.click()
      link.remove()
    } catch (error) {
      toastFailure(error, 'The download could not be started. Please try again.')
    } finally {
      setBusyLine(null)
    }
  }
  return { download, busyLine }
}
