import { serveThread } from '../../../kit/threads/serveThread.server.ts'
import type { CutAnswer, CutTask } from './cutter.server.ts'
import { countPages } from './cutPdf.server.ts'
import { cutStart } from './cutStart.server.ts'

// The thread of cutter.server.ts. A file that cannot be read counts as one that cannot be cut or counted.

serveThread(({ isCounted, ...file }: CutTask): Promise<CutAnswer> => {
  const answer = isCounted
    ? countPages(file.head).then((pages) => ({ pages, cut: null }))
    : cutStart(file).then((cut) => ({ pages: null, cut }))
  return answer.catch(() => ({ pages: null, cut: null }))
})
