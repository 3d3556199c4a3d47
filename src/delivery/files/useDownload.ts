import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { startDownload } from '../../kit/startDownload.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { grantDownload } from './files.contract.ts'
import { isRefused, describeRefusal } from '../refusal.rules.ts'

/** Requests a grant and lets the browser download the file; `onRefused` runs when the server has revoked the access. */
export function useDownload(orderId: string, onRefused: () => void) {
  const [busyLine, setBusyLine] = useState<string | null>(null)
  const download = async (lineId: string, isNewest = false) => {
    setBusyLine(lineId)
    try {
      const { url } = await call(grantDownload, { id: orderId, lineId, ...(isNewest && { isNewest }) })
      startDownload(url)
    } catch (error) {
      toastFailure(error, describeRefusal(error, 'We couldn’t start the download. Please try again.'))
      if (isRefused(error)) onRefused()
    } finally {
      setBusyLine(null)
    }
  }
  return { download, busyLine }
}
