import { fetchUsed, withProof } from '../call.client.ts'
import { readReply } from '../call.ts'
import { startDownload } from './startDownload.client.ts'

const READ_MS = 60_000

/** Downloads a file that needs a fresh proof of identity. A link cannot ask the user for the proof. */
export async function downloadProven(path: string, fileName: string) {
  const bytes = await withProof(async () => {
    const response = await fetchUsed(path, { credentials: 'include' })
    if (!response.ok) await readReply(response)
    return response.blob()
  })
  const url = URL.createObjectURL(bytes)
  startDownload(url, fileName)
  // revokes the URL after the browser has read it
  setTimeout(() => URL.revokeObjectURL(url), READ_MS)
}
