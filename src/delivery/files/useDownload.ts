import { useState } from 'react'
import { call } from '../../kit/call.client.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { grantDownload } from './files.contract.ts'
import { isRefused, describeRefusal } from '../refusal.rules.ts'

type WantedFiles = { isAll: true } | { isNewest: true } | { fileId: string }

/** Requests a grant and downloads one file, or all files of the line. `onRefused` runs if access was revoked. */
export function useDownload(orderId: string, onRefused: () => void) {
  const [busyLine, setBusyLine] = useState<string | null>(null)
  const download = async (lineId: string, wanted: WantedFiles = { isAll: true }) => {
    setBusyLine(lineId)
    try {
      const { url } = await call(grantDownload, { id: orderId, lineId, ...wanted })
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
