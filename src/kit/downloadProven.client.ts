import { fetchUsed, withProof } from './call.client.ts'
import { readReply } from './call.ts'
import { startDownload } from './startDownload.client.ts'

const READ_MS = 60_000

/** Saves the file at a path that needs a fresh proof of identity. A link could not ask for it. */
export async function downloadProven(path: string, fileName: string) {
  const bytes = await withProof(async () => {
    const response = await fetchUsed(path, { credentials: 'include' })
    if (!response.ok) await readReply(response)
    return response.blob()
  })
  const url = URL.createObjectURL(bytes)
  startDownload(url, fileName)
  // the browser has read the address by then
  setTimeout(() => URL.revokeObjectURL(url), READ_MS)
}
