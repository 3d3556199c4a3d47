import { readReply } from '../../kit/call.ts'
import { type Import, IMPORTS_PATH } from './csv.contract.ts'

/** Reports the sent share to `onSent`, without `fetch`, which has no upload progress. Rejects with the Failure. */
export function sendFile(
  file: File,
  { category, onSent }: { category: string; onSent: (share: number) => void },
): Promise<Import> {
  const query = new URLSearchParams({ name: file.name, ...(category && { category }) })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${IMPORTS_PATH}?${query}`)
    request.setRequestHeader('content-type', 'text/csv')
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new TypeError('The file was not sent'))
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after')
      const headers = retryAfter ? { 'retry-after': retryAfter } : undefined
      const answer = new Response(request.responseText, { status: request.status, ...(headers && { headers }) })
      readReply(answer).then((found) => resolve(found as Import), reject)
    }
    request.send(file)
  })
}
