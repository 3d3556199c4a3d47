import { serveThread } from '../threads/serveThread.server.ts'
import { drawPdf } from './drawing.server.ts'

// Runs in a worker thread that paper.server.ts starts.

serveThread(drawPdf)
