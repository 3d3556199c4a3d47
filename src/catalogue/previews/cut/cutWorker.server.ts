import { serveThread } from '../../../kit/threads/serveThread.server.ts'
import type { Cut } from './cut.rules.ts'
import { type CutInput, cutStart } from './cutStart.server.ts'

// The thread of cutter.server.ts. A file that cannot be read counts as one that cannot be cut.

serveThread((file: CutInput): Promise<Cut | null> => cutStart(file).catch(() => null))
