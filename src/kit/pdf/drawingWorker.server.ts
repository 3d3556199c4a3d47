import { serveThread } from '../threads/serveThread.server.ts'
import { drawPdf } from './drawing.server.ts'

// The thread of paper.server.ts.

serveThread(drawPdf)
