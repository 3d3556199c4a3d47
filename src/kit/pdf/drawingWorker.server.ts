import { serveThread } from '../threads/serveThread.server.ts'
import { drawPdf } from './drawing.server.ts'

serveThread(drawPdf)
